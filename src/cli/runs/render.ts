import { oneLine } from "../../json/one-line.ts";
import { remedyOf } from "../../operation/run-outcome.ts";
import { isHanging, isUnderWay } from "../../operation/run-record.ts";
import { failingShare, type ListedRun } from "../../operation/tenant-runs.ts";
import { clip, columnWidths, pad } from "../fit.ts";
import { toJson } from "../output.ts";
import type { Shell } from "../shell.ts";
import { durationBetween, utcMinute } from "../times.ts";

/** The runs of a tenant, the newest first. */
export interface ShownRuns {
  tenant: { id: number; name: string; integration: string };
  runs: readonly ListedRun[];
}

/** The runs for programs. What the platform does not show is null. */
export function renderJson({ tenant, runs }: ShownRuns, now: Date): string {
  const shown = runs.map((run) => {
    const { id, mode, sources, triggers } = run;
    const { outcome = null, status = null, startedAt = null, endedAt = null, durationSeconds = null } = run;
    const times = { startedAt, endedAt, durationSeconds };
    const words = { outcome, status, hanging: isHanging(run, now) };
    return { id, mode, sources, triggers, ...words, ...times };
  });
  return toJson({ tenant, recentRuns: failingShare(runs), runs: shown });
}

/** The runs for a terminal of 80 columns: a table, the failing share, and what helps after each kind of failure. */
export function renderText({ styled }: Pick<Shell, "styled">, { tenant, runs }: ShownRuns, now: Date): string {
  const title = `${oneLine(tenant.name)} (${tenant.id}): `;
  if (runs.length === 0) return `${title}it has not run yet\n`;
  const share = failingShare(runs);
  const header = ["RUN", "MODE", "SOURCE", "BEGAN (UTC)", "TOOK", "OUTCOME"];
  const rows = runs.map((run) => [
    String(run.id),
    oneLine(run.mode),
    oneLine([...run.sources, ...(run.triggers > 1 ? [`(${run.triggers})`] : [])].join(" ")) || "-",
    run.startedAt === undefined ? "-" : utcMinute(run.startedAt),
    tookText(run, now),
    outcomeText(run, now),
  ]);
  const widths = columnWidths([header, ...rows], [6, 6, 8, 16, 4, 22]);
  const lines = [header, ...rows].map((row, at) => {
    const text = row.map((cell, column) => pad(clip(cell, widths[column] ?? 0), widths[column] ?? 0)).join("  ");
    if (at === 0) return styled("bold", text.trimEnd());
    return runs[at - 1]?.outcome === "failed" ? styled("red", text.trimEnd()) : text.trimEnd();
  });
  const failures = new Set(runs.flatMap(({ outcome, status = "" }) => (outcome === "failed" ? [status] : [])));
  const remedies = [...failures].flatMap((status) => {
    const remedy = remedyOf(status);
    return remedy === undefined ? [] : [`${oneLine(status)}: ${remedy}`];
  });
  const counts = `${title}${share.failed} of the last ${share.runs} runs failed`;
  return `${[counts, "", ...lines, ...(remedies.length === 0 ? [] : ["", ...remedies])].join("\n")}\n`;
}

function tookText({ startedAt, endedAt }: ListedRun, now: Date): string {
  return startedAt === undefined ? "-" : durationBetween(startedAt, endedAt ?? now.toISOString());
}

/** `succeeded`, `Failed (Refresh)`, `running`, `hangs`; the platform's word for an outcome that is not known. */
function outcomeText(run: ListedRun, now: Date): string {
  const status = oneLine(run.status ?? "?");
  if (isHanging(run, now)) return "hangs";
  if (isUnderWay(run)) return run.startedAt === undefined ? status : "running";
  return run.outcome === "succeeded" ? "succeeded" : status;
}
