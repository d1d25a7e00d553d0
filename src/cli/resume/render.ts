import { oneLine } from "../../json/one-line.ts";
import { indented, lineWidth, wrap } from "../fit.ts";
import { toJson } from "../output.ts";
import { named, resumeCommand } from "../pause/render.ts";
import type { NotedTenant } from "../pause-note/note.ts";
import { type Place, shownPath } from "../shell.ts";
import { counted } from "../stack-overrides/declared-tenants.ts";
import { commitCommand, stackLines, stacksAsJson } from "../stack-overrides/render-stacks.ts";
import type { ResumeResult } from "./resume-result.ts";

/** The result for a program. */
export function renderJson(shell: Place, result: ResumeResult): string {
  const { isDryRun, path, note, donePath, resumed, wasPaused, running, archived, handedOver } = result;
  const { failed, left, stacks, unrecorded } = result;
  return toJson({
    ...{ isDryRun, platform: note?.platform, reason: note?.reason, note: shownPath(shell, path) },
    finishedNote: donePath === undefined ? undefined : shownPath(shell, donePath),
    ...{ resumed, pausedBefore: wasPaused, runningAlready: running, archived, failed, stillNoted: left },
    handedOver: handedOver.map((tenant) => ({ ...tenant, note: shownPath(shell, tenant.note) })),
    stacks: stacksAsJson(stacks),
    unrecorded,
    commit: commitCommand(stacks, commitOf(shell, result)),
  });
}

/** The result for a terminal. */
export function renderText(shell: Place, result: ResumeResult): string {
  const { isDryRun, note, donePath, archived, running, failed, canRetry, left, stacks, wasPaused } = result;
  const shown = (path = "") => oneLine(shownPath(shell, path));
  if (note === undefined) return paragraph(`Nothing to do: an earlier \`resume\` completed ${shown(donePath)}.`);
  const lines = [
    ...wrap(summary(result), lineWidth),
    ...listOf("Not changed, because they run already", running),
    ...listOf("Not changed, because they are archived", archived),
    ...(wasPaused.length === 0
      ? []
      : [`Not changed, because they were paused before: ${counted(wasPaused.length, "tenant")}`]),
    ...handedOverLines(shell, result),
    ...(failed.length === 0 ? [] : [isDryRun ? "Would not be resumed:" : "Not resumed:"]),
    ...failed.map((tenant) => indented(oneLine(`${named(tenant)}: ${tenant.problem}`))),
    ...(canRetry ? ["Run the same command again to retry these tenants."] : []),
    ...stackLines(stacks, { command: "resume", ...commitOf(shell, result) }),
    ...(donePath === undefined || isDryRun
      ? []
      : wrap(`No tenant is left in the note: it was renamed to ${shown(donePath)}.`, lineWidth)),
    ...(left.length === 0
      ? []
      : wrap(`${counted(left.length, "tenant")} ${left.length === 1 ? "is" : "are"} still in the note.`, lineWidth)),
  ];
  return `${lines.join("\n")}\n`;
}

function summary({ isDryRun, note, resumed }: ResumeResult): string {
  const done = isDryRun ? "would be resumed" : "resumed";
  return oneLine(`${note?.reason}: ${counted(resumed.length, "tenant")} ${done}.`);
}

/** The tenants that stay paused, by the note that has them now. */
function handedOverLines(shell: Place, { isDryRun, handedOver, project }: ResumeResult): string[] {
  const byNote = Map.groupBy(handedOver, ({ note }) => note);
  return [...byNote].flatMap(([note, those]) => [
    ...listOf(oneLine(`Not resumed, because ${those[0]?.reason} also needs them paused`), those),
    ...wrap(
      oneLine(isDryRun ? `They would be only in ${shownPath(shell, note)}.` : keptIn(shownPath(shell, note))),
      lineWidth,
    ),
    ...wrap(oneLine(`When ${those[0]?.reason} is over:`), lineWidth),
    `  ${resumeCommand(shell, note, project)}`,
  ]);
}

function keptIn(note: string): string {
  return `They are now only in ${note}, which has changed: if it is committed, commit the change too.`;
}

/** Where the files are that are to be committed, and why. */
function commitOf(shell: Place, { note, project }: ResumeResult) {
  return { shell, project, message: `Resume tenants: ${note?.reason ?? ""}` };
}

function listOf(title: string, tenants: readonly NotedTenant[]): string[] {
  if (tenants.length === 0) return [];
  const more = tenants.length - shownMaximum;
  return [
    `${title}:`,
    ...tenants.slice(0, shownMaximum).map((tenant) => indented(named(tenant))),
    ...(more > 0 ? [`  and ${more} more, which --json shows`] : []),
  ];
}

/** So many tenants are named. After a killed `resume`, thousands may run already. */
const shownMaximum = 50;

function paragraph(text: string): string {
  return `${wrap(text, lineWidth).join("\n")}\n`;
}
