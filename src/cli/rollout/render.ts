import { oneLine, withoutControlCharacters } from "../../json/one-line.ts";
import { clip, indented, lineWidth, longestCells, table, wrap } from "../fit.ts";
import type { ReportHead } from "../html-report/report-head.ts";
import { toJson } from "../output.ts";
import { type Rollout, type TenantException, type WaveStatus, waveOf } from "./rollout-status.ts";
import type { StackRollouts } from "./stack-rollouts.ts";

/** The rollouts for programs. The shape is documented in docs/guides/rollouts.md. */
export function renderJson({ stack, rollouts, unreadable }: StackRollouts, head: ReportHead): string {
  return toJson({ stack, ...head, rollouts: rollouts.map(({ history: _, ...rollout }) => rollout), unreadable });
}

/** The rollouts for a terminal of 80 columns: a table of all of them, and the waves and exceptions of each. */
export function renderText({ rollouts }: StackRollouts): string {
  if (rollouts.length === 0) return `${noRollouts}\n`;
  return `${[overview(rollouts), ...rollouts.map((rollout) => details(rollout, rollouts))].join("\n\n")}\n`;
}

export const noRollouts = "The stack has no rollouts.";

function overview(rollouts: readonly Rollout[]): string {
  const rows = rollouts.map((rollout) => {
    const [fleet, release] = [clip(oneLine(rollout.fleet), 16), clip(releaseOf(rollout), 18)];
    return { cells: [fleet, release, rollout.phase, movedOf(rollout)], status: sentence(rollout.status) };
  });
  const header = ["FLEET", "RELEASE", "PHASE", "MOVED"];
  const widths = longestCells([header, ...rows.map(({ cells }) => cells)]);
  const width = lineWidth - widths.reduce((sum, one) => sum + one + 2, 0);
  const lines = rows.flatMap(({ cells, status }) => {
    return wrap(status, width).map((line, at) => [...(at === 0 ? cells : header.map(() => "")), line]);
  });
  return table([[...header, "STATUS"], ...lines]);
}

/** The URN of a rollout if others have a fleet of the same name. */
export function urnOfNamesake({ fleet, urn }: Rollout, all: readonly Rollout[]): string | undefined {
  return all.some((other) => other.fleet === fleet && other.urn !== urn) ? oneLine(urn) : undefined;
}

function details(rollout: Rollout, all: readonly Rollout[]): string {
  const { fleet, waves } = rollout;
  const way = rollout.direction === "back" ? ", rollback" : "";
  const asOf = rollout.asOf === undefined ? "" : `, as of ${time(rollout.asOf)} UTC`;
  const head = `${clip(oneLine(fleet), 16)}: release ${clip(releaseOf(rollout), 18)}${way}${asOf}`;
  const urn = urnOfNamesake(rollout, all);
  const sections = [
    ...(urn === undefined ? [] : [indented(urn)]),
    ...(waves.length === 0 ? [] : [waveTable(waves)]),
    ...notesOf(rollout).map((note) => indented(note)),
    exceptionList(rollout),
  ];
  const shown = sections.filter((section) => section !== "");
  return [shown.length === 0 ? head : `${head}:`, ...shown].join("\n");
}

/** `v1.3.0`, or `v1.3.0 (attempt 2)`. */
export function releaseOf({ release, attempt }: Pick<Rollout, "release" | "attempt">): string {
  return `${oneLine(release)}${attempt === 1 ? "" : ` (attempt ${attempt})`}`;
}

export function movedOf({ moved, tenants }: Rollout): string {
  return `${moved} of ${tenants}`;
}

export const waveColumns = ["Wave", "State", "Tenants", "Proven", "Skipped", "Left", "Failed", "Open"] as const;

/** A wave as the cells of a table. */
export function waveRow({ name, state, tenants, ...wave }: WaveStatus, index: number): string[] {
  const counts = [wave.proven, wave.skipped, wave.left, wave.failed, wave.open];
  const shown = counts.map((count) => (state === "not started" ? "" : String(count)));
  return [`${index + 1} ${oneLine(name)}`, state, String(tenants ?? "?"), ...shown];
}

function waveTable(waves: readonly WaveStatus[]): string {
  const rows = waves.map(waveRow).map(([name = "", ...cells]) => [clip(name, 18), ...cells]);
  const header = waveColumns.map((name) => name.toUpperCase());
  return table([header, ...rows].map(([name = "", ...cells]) => [`  ${name}`, ...cells]));
}

/** What the rollout waits for, and the remaining step, as sentences. */
export function notesOf({ waves, isPaused, remaining, phase }: Rollout): string[] {
  const isOver = phase === "done" || phase === "failed";
  const unapproved = waves.flatMap(({ name, waitsFor }) => {
    const entries = waitsFor.filter((what) => what.startsWith("approvals."));
    return entries.map((entry) => sentence(`Not approved: ${waveOf(name)} waits for ${entry}`));
  });
  return [
    ...(isPaused && phase !== "done" ? ["Paused: no tenant moves while `paused` is true."] : []),
    ...(isOver ? [] : unapproved),
    ...(remaining === "" ? [] : [`Remaining step: ${sentence(remaining)}`]),
  ];
}

const shownMaximum = 20;

function exceptionList({ exceptions }: Rollout): string {
  const groups = Map.groupBy(exceptions, ({ outcome }) => outcome);
  const lines = [...groups].flatMap(([outcome, group]) => {
    const rest = group.length - shownMaximum;
    return [
      `  ${exceptionTitles[outcome]}:`,
      ...group.slice(0, shownMaximum).map((one) => indented(exceptionLine(one), "    ")),
      ...(rest > 0 ? [`    ... and ${rest} more: --json has all`] : []),
    ];
  });
  return lines.join("\n");
}

export const exceptionTitles: Record<TenantException["outcome"], string> = {
  failed: "Failed",
  left: "Left unchanged",
  skipped: "Moved without a proof",
  open: "Not proven yet",
};

/** `acme (5001), wave early: the run 77 failed`. */
function exceptionLine(exception: TenantException): string {
  const reason = reasonOf(exception);
  const wave = exception.wave === undefined ? "" : `, ${sentence(waveOf(exception.wave))}`;
  return `${tenantOf(exception)}${wave}${reason === "" ? "" : `: ${reason}`}`;
}

/** `acme (5001)`; `5001` if the tenant has left the fleet. */
export function tenantOf({ tenant, tenantId }: TenantException): string {
  return tenant === undefined ? String(tenantId) : `${oneLine(tenant)} (${tenantId})`;
}

export function reasonOf({ reason, since, trigger }: TenantException): string {
  const parts = [
    reason,
    since === undefined ? undefined : `on the release since ${time(since)}`,
    trigger === undefined ? undefined : `sync ${trigger}`,
  ];
  return parts.flatMap((part) => (part === undefined ? [] : [sentence(part)])).join(", ");
}

/** `2026-11-22 14:05` in UTC; at most 16 characters of what is not a time. */
export function time(text: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(text) ?? [];
  return day === undefined ? clip(sentence(text), 16) : `${day} ${minute}`;
}

function sentence(text: string): string {
  return withoutControlCharacters(text);
}
