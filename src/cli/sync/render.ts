import { oneLine, withoutControlCharacters } from "../../json/one-line.ts";
import { countsOfSyncs, describeCounts } from "../../operation/run-outcome.ts";
import { hideCredentials } from "../../settings/hide-credentials.ts";
import { indented } from "../fit.ts";
import { code } from "../markdown.ts";
import { toJson } from "../output.ts";
import type { Shell } from "../shell.ts";
import { describeTenant } from "../tenants/find-tenant.ts";
import { syncMarkdown } from "./sync-table.ts";
import type { SyncResult } from "./sync-tenants.ts";

/** The outcomes for programs. */
export function renderJson(results: readonly SyncResult[]): string {
  return toJson({ counts: countsOf(results), syncs: results });
}

/** The outcome of one sync, as a sentence. */
export function renderOne(shell: Pick<Shell, "styled">, result: SyncResult): string {
  const { tenant, mode } = result;
  return `the ${mode} sync of tenant ${describeTenant(tenant)} ${clauseOf(shell, result)}`;
}

/** The outcomes of many syncs: how many ended how, and those that neither succeeded nor are only requested. */
export function renderMany(shell: Pick<Shell, "styled">, results: readonly SyncResult[]): string {
  return [titleOf(results), ...notesOf(shell, results).map((note) => indented(note)), ""].join("\n");
}

/** The outcomes as Markdown, for a comment or a job's summary: the table of `try`, and the reasons of those that {@link renderMany} lists. */
export function renderMarkdown(results: readonly SyncResult[]): string {
  const notes = notesOf({ styled: (_, text) => text }, results).map(
    (note) => `- ${code(oneLine(hideCredentials(note)))}\n`,
  );
  return [`### ${code(titleOf(results))}\n`, syncMarkdown(results), notes.join("")].join("\n");
}

function titleOf(results: readonly SyncResult[]): string {
  return `Syncs: ${describeCounts(countsOf(results))}`;
}

function notesOf(shell: Pick<Shell, "styled">, results: readonly SyncResult[]): string[] {
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  return shownOutcomes.flatMap((outcome) =>
    (groups.get(outcome) ?? []).map((one) => `${describeTenant(one.tenant)} ${clauseOf(shell, one)}`),
  );
}

const shownOutcomes = ["refused", "failed", "unknown", "skipped"] as const;

function countsOf(results: readonly SyncResult[]) {
  return countsOfSyncs(results.map(({ outcome }) => outcome));
}

function clauseOf(
  { styled }: Pick<Shell, "styled">,
  { outcome, status, trigger, run, secondsWaited, reason = "", tenant }: SyncResult,
): string {
  const said = status === undefined ? "" : ` with the status "${withoutControlCharacters(status)}"`;
  const seconds = secondsWaited === undefined ? "" : ` after ${secondsWaited} s`;
  const ofRun = run === undefined ? "" : ` --run ${run}`;
  const why = withoutControlCharacters(reason);
  const clauses = {
    succeeded: () => `${styled("green", "succeeded")}${seconds}`,
    failed: () =>
      `${styled("red", "failed")}${said}${seconds}${why && `: ${why}`}; see integration-platform logs ${tenant.id}${ofRun}`,
    requested: () => `is requested (trigger ${trigger})`,
    unknown: () => `has no known outcome: ${why}${seconds} (trigger ${trigger})`,
    refused: () => `was refused: ${why}`,
    skipped: () => `cannot be requested: ${why}`,
  };
  return clauses[outcome]();
}
