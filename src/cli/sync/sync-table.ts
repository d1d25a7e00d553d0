import { oneLine } from "../../json/one-line.ts";
import { hideCredentials } from "../../settings/hide-credentials.ts";
import { code, line } from "../markdown.ts";
import type { SyncResult } from "./sync-tenants.ts";

const columns = ["Tenant", "Sync", "Outcome", "Took"];

/** Syncs as a Markdown table; empty without syncs. No value from the platform can act as Markdown or HTML. */
export function syncMarkdown(results: readonly SyncResult[]): string {
  if (results.length === 0) return "";
  const rows = results.map((result) => line(syncRow(result).map(code)));
  return line(columns) + line(columns.map(() => "---")) + rows.join("");
}

/** A sync as a row: its tenant, its mode, its outcome, and how long it took. */
export function syncRow({ tenant, mode, outcome, status = "", secondsWaited }: SyncResult): string[] {
  return [
    oneLine(tenant.name),
    mode,
    outcome === "failed" ? oneLine(hideCredentials(status)) : outcome,
    secondsWaited === undefined ? "-" : `${secondsWaited} s`,
  ];
}
