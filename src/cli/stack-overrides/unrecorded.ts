// What `pause` and `resume` say about tenants that no stack's file shows.
import { oneLine } from "../../json/one-line.ts";
import type { PauseResult } from "../pause/pause-result.ts";
import type { ResumeResult } from "../resume/resume-result.ts";
import { placeOfStacks, stackFilesOf } from "../stack-file.ts";
import { counted } from "./declared-tenants.ts";

/** @param isWriting whether overrides were to be written: without one, this is an error. */
export function unrecordedPause({ path, note, project, unrecorded }: PauseResult, isWriting: boolean): string {
  const until = note.until === undefined ? "" : `, until: ${JSON.stringify(note.until)}`;
  const override = `override: { paused: true, reason: ${JSON.stringify(note.reason)}${until} }`;
  return message(isWriting, [
    `no override is written for ${counted(unrecorded.length, "tenant")}, because ${whyOf(project)}: ` +
      "the next `pulumi up` of what declares them may resume them",
    `If a program of your own declares them, add \`${override}\` to each Tenant and TenantFleet before that`,
    "If an environment declares them, add the override there",
    `If another project declares them, run the same command in its folder with --note ${path}`,
    ...(isWriting ? ["With --no-override, the command writes no override and exits with 0"] : []),
  ]);
}

/** @param isWriting as for {@link unrecordedPause}. */
export function unrecordedResume({ note, project, unrecorded }: ResumeResult, isWriting: boolean): string {
  return message(isWriting, [
    `the command cannot tell whether an override would pause ${counted(unrecorded.length, "tenant")} again, because ${whyOf(project)}`,
    `If a program or an environment has the override ${note?.reason}, remove it there before the next \`pulumi up\``,
    ...(isWriting ? ["With --no-override, the command looks for no override and exits with 0"] : []),
  ]);
}

function message(isError: boolean, sentences: readonly string[]): string {
  return oneLine(`${isError ? "error" : "warning"}: ${sentences.join(". ")}`);
}

function whyOf(project: PauseResult["project"]): string {
  return stackFilesOf(project).length === 0
    ? `there is no stack's file (Pulumi.<stack>${project.extension}) in ${placeOfStacks(project)}`
    : `no stack's file in ${project.stacksDirectory} shows that it declares them`;
}
