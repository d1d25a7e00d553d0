import { oneLine } from "../../json/one-line.ts";
import { describeOverride } from "../../settings/override.ts";
import type { Project } from "../../stack/yaml/project.ts";
import { indented, lineWidth, wrap } from "../fit.ts";
import { toJson } from "../output.ts";
import { notePath } from "../pause-note/note-file.ts";
import { type Place, shownPath } from "../shell.ts";
import { projectOfChoice } from "../stack-file.ts";
import { counted } from "../stack-overrides/declared-tenants.ts";
import { commitCommand, quoted, stackLines, stacksAsJson } from "../stack-overrides/render-stacks.ts";
import type { PauseResult } from "./pause-result.ts";

/** The result for a program. */
export function renderJson(shell: Place, result: PauseResult): string {
  const { isDryRun, path, note, project, paused, pausedEarlier, pausedBefore } = result;
  const { archived, failed, stacks, unrecorded } = result;
  const { platform, reason, until } = note;
  return toJson({
    ...{ isDryRun, platform, reason, until, note: shownPath(shell, path) },
    ...{ paused, pausedEarlier, pausedBefore, archived, failed },
    stacks: stacksAsJson(stacks),
    unrecorded,
    commit: commitCommand(stacks, { shell, project, message: `Pause tenants: ${reason}` }),
  });
}

/** The result for a terminal. */
export function renderText(shell: Place, result: PauseResult): string {
  const { isDryRun, path, note, project, archived, failed, stacks } = result;
  const paragraphs = [
    ...wrap(summary(result), lineWidth),
    ...(archived.length === 0 ? [] : [`Archived meanwhile: ${archived.map(named).join(", ")}`]),
    ...(failed.length === 0 ? [] : ["Not paused:"]),
    ...failed.map((tenant) => indented(oneLine(`${named(tenant)}: ${tenant.problem}`))),
    ...(failed.length === 0 ? [] : ["Run the same command again to retry these tenants."]),
    ...(isDryRun
      ? []
      : [
          ...wrap(
            `The tenants that were running are listed in ${oneLine(shownPath(shell, path))}. To resume them:`,
            lineWidth,
          ),
          `  ${resumeCommand(shell, path, project)}`,
        ]),
    ...stackLines(stacks, { shell, command: "pause", project, message: `Pause tenants: ${note.reason}` }),
  ];
  return `${paragraphs.join("\n")}\n`;
}

/** The command that resumes the tenants of a note, for a shell. */
export function resumeCommand(shell: Place, path: string, project: Project): string {
  const { directory } = project;
  const note = path === notePath(shell, project) ? "" : ` --note ${quoted(oneLine(shownPath(shell, path)))}`;
  const isHere = projectOfChoice(shell).directory === directory;
  return `integration-platform resume${note}${isHere ? "" : ` --cwd ${quoted(directory)}`}`;
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
