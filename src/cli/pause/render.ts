import { relative, resolve } from "node:path";
import { oneLine } from "../../json/one-line.ts";
import { describeOverride } from "../../settings/override.ts";
import { indented, lineWidth, wrap } from "../fit.ts";
import { toJson } from "../output.ts";
import { notePath } from "../pause-note/note-file.ts";
import { counted } from "../stack-overrides/declared-tenants.ts";
import { commitCommand, quoted, stackLines, stacksAsJson } from "../stack-overrides/render-stacks.ts";
import type { PauseResult } from "./pause-result.ts";

/** The result for a program. */
export function renderJson({
  isDryRun,
  path,
  note,
  directory,
  paused,
  pausedEarlier,
  pausedBefore,
  archived,
  failed,
  stacks,
}: PauseResult): string {
  const { platform, reason, until } = note;
  return toJson({
    ...{ isDryRun, platform, reason, until, note: path },
    ...{ paused, pausedEarlier, pausedBefore, archived, failed },
    stacks: stacksAsJson(stacks),
    commit: commitCommand(stacks, { directory, message: `Pause tenants: ${reason}` }),
  });
}

/** The result for a terminal. */
export function renderText(result: PauseResult): string {
  const { isDryRun, path, note, directory, archived, failed, stacks } = result;
  const paragraphs = [
    ...wrap(summary(result), lineWidth),
    ...(archived.length === 0 ? [] : [`Archived meanwhile: ${archived.map(named).join(", ")}`]),
    ...(failed.length === 0 ? [] : ["Not paused:"]),
    ...failed.map((tenant) => indented(oneLine(`${named(tenant)}: ${tenant.problem}`))),
    ...(failed.length === 0 ? [] : ["Run the same command again to retry these tenants."]),
    ...(isDryRun
      ? []
      : [
          ...wrap(`The tenants that were running are listed in ${shownPath(path)}. To resume them:`, lineWidth),
          `  ${resumeCommand(path, directory)}`,
        ]),
    ...stackLines(stacks, { command: "pause", directory, message: `Pause tenants: ${note.reason}` }),
  ];
  return `${paragraphs.join("\n")}\n`;
}

/** The command that resumes the tenants of a note, for a shell. */
export function resumeCommand(path: string, directory: string): string {
  const note = path === notePath({ cwd: directory }) ? "" : ` --note ${quoted(shownPath(path))}`;
  return `integration-platform resume${note}${directory === "." ? "" : ` --cwd ${quoted(directory)}`}`;
}

/** The warning that no stack's file was found, and what to do. */
export function withoutStackFiles({ isDryRun, path, directory }: PauseResult): string {
  const note = isDryRun ? "" : ` with --note ${resolve(path)}`;
  return oneLine(
    `warning: there is no stack's file (Pulumi.<stack>.yaml) in ${directory}, so no override is written: ` +
      "the next `pulumi up` may resume the tenants. If stacks declare them, run the same command in the folder of " +
      `Pulumi.yaml${note}`,
  );
}

function summary({ isDryRun, note, paused, pausedEarlier, pausedBefore }: PauseResult): string {
  const parts = [
    `${counted(paused.length, "tenant")} ${isDryRun ? "would be paused" : "paused"}`,
    ...(pausedEarlier.length === 0 ? [] : [`${pausedEarlier.length} paused by an earlier run`]),
    ...(pausedBefore.length === 0
      ? []
      : [`${pausedBefore.length} ${pausedBefore.length === 1 ? "was" : "were"} paused before`]),
  ];
  return oneLine(`${describeOverride(note)}: ${parts.join("; ")}.`);
}

/** A tenant in a message: `acme (5001, crm-to-billing)`. */
export function named({ name, id, integration }: { name: string; id: number; integration: string }): string {
  return oneLine(`${name} (${id}, ${integration})`);
}

function shownPath(path: string): string {
  return oneLine(relative("", path) || path);
}
