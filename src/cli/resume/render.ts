import { relative } from "node:path";
import { oneLine } from "../../json/one-line.ts";
import { indented, lineWidth, wrap } from "../fit.ts";
import { toJson } from "../output.ts";
import { named, resumeCommand } from "../pause/render.ts";
import type { NotedTenant } from "../pause-note/note.ts";
import { counted } from "../stack-overrides/declared-tenants.ts";
import { commitCommand, stackLines, stacksAsJson } from "../stack-overrides/render-stacks.ts";
import type { ResumeResult } from "./resume-result.ts";

/** The result for a program. */
export function renderJson(result: ResumeResult): string {
  const { isDryRun, path, note, donePath, resumed, wasPaused, running, archived, handedOver } = result;
  const { failed, left, stacks, unrecorded } = result;
  return toJson({
    ...{ isDryRun, platform: note?.platform, reason: note?.reason, note: path, finishedNote: donePath },
    ...{ resumed, pausedBefore: wasPaused, runningAlready: running, archived, handedOver, failed, stillNoted: left },
    stacks: stacksAsJson(stacks),
    unrecorded,
    commit: commitCommand(stacks, commitOf(result)),
  });
}

/** The result for a terminal. */
export function renderText(result: ResumeResult): string {
  const { isDryRun, note, donePath, archived, running, failed, canRetry, left, stacks, wasPaused } = result;
  if (note === undefined) return paragraph(`Nothing to do: an earlier \`resume\` completed ${shownPath(donePath)}.`);
  const lines = [
    ...wrap(summary(result), lineWidth),
    ...listOf("Not changed, because they run already", running),
    ...listOf("Not changed, because they are archived", archived),
    ...(wasPaused.length === 0
      ? []
      : [`Not changed, because they were paused before: ${counted(wasPaused.length, "tenant")}`]),
    ...handedOverLines(result),
    ...(failed.length === 0 ? [] : [isDryRun ? "Would not be resumed:" : "Not resumed:"]),
    ...failed.map((tenant) => indented(oneLine(`${named(tenant)}: ${tenant.problem}`))),
    ...(canRetry ? ["Run the same command again to retry these tenants."] : []),
    ...stackLines(stacks, { command: "resume", ...commitOf(result) }),
    ...(donePath === undefined || isDryRun
      ? []
      : wrap(`No tenant is left in the note: it was renamed to ${shownPath(donePath)}.`, lineWidth)),
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
function handedOverLines({ isDryRun, handedOver, project }: ResumeResult): string[] {
  const byNote = Map.groupBy(handedOver, ({ note }) => note);
  return [...byNote].flatMap(([note, those]) => [
    ...listOf(oneLine(`Not resumed, because ${those[0]?.reason} also needs them paused`), those),
    ...wrap(oneLine(isDryRun ? `They would be only in ${shownPath(note)}.` : keptIn(note)), lineWidth),
    ...wrap(oneLine(`When ${those[0]?.reason} is over:`), lineWidth),
    `  ${resumeCommand(note, project)}`,
  ]);
}

function keptIn(note: string): string {
  return `They are now only in ${shownPath(note)}, which has changed: if it is committed, commit the change too.`;
}

/** Where the files are that are to be committed, and why. */
function commitOf({ note, project }: ResumeResult) {
  return { project, message: `Resume tenants: ${note?.reason ?? ""}` };
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

function shownPath(path = ""): string {
  return oneLine(relative("", path) || path);
}
