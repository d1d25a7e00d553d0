import { oneLine, withoutControlCharacters } from "../../json/one-line.ts";
import type { PastRollout } from "../../resources/fleet-rollout/schema.ts";
import { clip, indented, table, wrap } from "../fit.ts";
import { toJson } from "../output.ts";
import { noRollouts, time, urnOfNamesake } from "./render.ts";
import type { StackRollouts } from "./stack-rollouts.ts";

/** The outcomes for programs. */
export function renderHistoryJson({ stack, project, rollouts, unreadable }: StackRollouts): string {
  const shown = rollouts.map(({ urn, fleet, history }) => ({ urn, fleet, history }));
  return toJson({ stack, project, rollouts: shown, unreadable });
}

/** The outcomes for a terminal of 80 columns: a table for each fleet. */
export function renderHistory({ rollouts }: StackRollouts): string {
  if (rollouts.length === 0) return `${noRollouts}\n`;
  const sections = rollouts.map((rollout) => {
    const { fleet, history } = rollout;
    const urn = urnOfNamesake(rollout, rollouts);
    const name = clip(oneLine(fleet), 40);
    const head = history.length === 0 ? `${name}: no rollout has ended yet.` : `${name}:`;
    const outcomes = history.length === 0 ? [] : [historyTable(history)];
    return [head, ...(urn === undefined ? [] : [indented(urn)]), ...outcomes].join("\n");
  });
  return `${sections.join("\n\n")}\n`;
}

export const historyColumns = ["At", "Release", "Try", "Outcome", "Proven", "Skipped", "Left", "Failed"] as const;

/** An outcome as the cells of a table. */
export function historyRow({ at, label, attempt, outcome, ...counts }: PastRollout): string[] {
  const numbers = [counts.proven, counts.skipped, counts.left, counts.failed].map(String);
  return [time(at), oneLine(label), String(attempt), outcome, ...numbers];
}

function historyTable(history: readonly PastRollout[]): string {
  const rows = history.map(historyRow).map(([at = "", label = "", ...rest]) => [at, clip(label, 14), ...rest]);
  const [header = "", ...lines] = table([historyColumns.map((name) => name.toUpperCase()), ...rows]).split("\n");
  const withReasons = lines.flatMap((line, at) => {
    const reason = history[at]?.reason;
    return reason === undefined
      ? [line]
      : [line, ...wrap(withoutControlCharacters(reason), 74).map((part) => `      ${part}`)];
  });
  return [header, ...withReasons].join("\n");
}
