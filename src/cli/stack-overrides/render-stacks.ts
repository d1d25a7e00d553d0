import { join } from "node:path";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import type { Project } from "../../stack/yaml/project.ts";
import { lineWidth, wrap } from "../fit.ts";
import { type Shell, shownPath } from "../shell.ts";
import { counted } from "./declared-tenants.ts";
import { renderName } from "./override-yaml.ts";
import type { StackChange } from "./stack-changes.ts";

/** Which command speaks, of which project the stacks are, and what a commit of their changes says. */
interface StackText {
  shell: Pick<Shell, "directory">;
  command: "pause" | "resume";
  project: Project;
  message: string;
}

/** What the stacks' files say about the tenants, what was written into them, and how to commit that. */
export function stackLines(stacks: readonly StackChange[], text: StackText): string[] {
  const sentence = text.command === "pause" ? pauseSentence : resumeSentence;
  const commit = commitCommand(stacks, text);
  return [
    ...stacks.flatMap((stack) => [...wrap(oneLine(sentence(stack)), lineWidth), ...yamlLines(stack)]),
    ...(commit === undefined ? [] : ["Commit this before the next `pulumi up`:", `  ${commit}`]),
  ];
}

/** The stacks for a program. */
export function stacksAsJson(stacks: readonly StackChange[]) {
  return stacks.map(
    ({ file, resumes, uncovered, pausesAgain, unnamed, otherPlatform, edits, outcome, problem, yaml, unknown }) => ({
      ...{ file, outcome, problem, otherPlatform },
      wouldResume: [...resumes, ...uncovered.map(({ tenant }) => tenant)].map(({ key, fleet, name, integration }) => ({
        key,
        fleet,
        name,
        integration,
      })),
      wouldPauseAgain: pausesAgain.map(({ key, fleet, name, integration }) => ({ key, fleet, name, integration })),
      edits,
      yaml,
      unknown,
      unnamed: unnamed.map(({ key }) => key),
    }),
  );
}

/** The command that commits the written files; undefined if none was written. */
export function commitCommand(
  stacks: readonly StackChange[],
  { shell, project, message }: Omit<StackText, "command">,
): string | undefined {
  const written = stacks.filter(({ outcome }) => outcome === "written");
  if (written.length === 0) return undefined;
  const files = written.map(({ file }) => quoted(shownPath(shell, join(project.directory, file))));
  return `git add ${files.join(" ")} && git commit -m ${quoted(oneLine(message))}`;
}

function pauseSentence(stack: StackChange): string {
  const { file, resumes, otherPlatform, outcome, written, problem } = stack;
  if (otherPlatform !== undefined) {
    return `${file} declares ${counted(resumes.length, "such tenant")} of another platform, ${otherPlatform}: the file is not changed.`;
  }
  const would = resumes.length === 0 ? "" : ` its next \`up\` would resume ${counted(resumes.length, "tenant")}.`;
  const outcomes = {
    written: " An override is written that keeps them paused.",
    failed: ` It could not be changed, because ${problem}. Add this to its config by hand:`,
    shown: " This override in its config keeps them paused:",
    unchanged: written.length === 0 ? "" : " Its override keeps them paused.",
    skipped:
      " So no override is written. Correct the file, or add an override by hand, and run the same command again.",
  };
  return `${file}:${would}${doubt(stack)}${describeUnnamed(stack)}${outcomes[outcome]}`;
}

function resumeSentence(stack: StackChange): string {
  const { file, edits, pausesAgain, unnamed, outcome, written, problem } = stack;
  const whose = unnamed.length === 0 ? "Another override in it" : "So its override stays, and";
  const again =
    pausesAgain.length === 0
      ? ""
      : ` ${whose} would pause ${counted(pausesAgain.length, "tenant")} again at its next \`up\`.`;
  const stays = written.length > 0 && unnamed.length === 0 ? " Its override stays." : "";
  const isRemoval = edits.every(({ to }) => to === undefined);
  const outcomes = {
    written: isRemoval ? " The override is removed." : " Its override now covers fewer tenants.",
    failed: ` It could not be changed, because ${problem}. ${isRemoval ? "Remove" : "Change"} its override by hand:`,
    shown: isRemoval ? " Remove the override." : " Change the override to this:",
    unchanged: stays,
    skipped: stays,
  };
  return `${file}:${describeUnnamed(stack)}${again}${describeRenamed(stack)}${describeUncovered(stack)}${doubt(stack)}${outcomes[outcome]}`;
}

function describeUncovered({ uncovered }: StackChange): string {
  const sentences = [...Map.groupBy(uncovered, ({ reason }) => reason)].map(([reason, held]) => {
    const names = held.map(({ tenant }) => tenant.name).join(", ");
    const whom = held.length > 20 ? counted(held.length, "tenant") : names;
    return ` The next \`up\` would resume ${whom}: run the \`pause\` of ${reason} again.`;
  });
  return sentences.join("");
}

function describeRenamed({ mayPauseAgain }: StackChange): string {
  if (mayPauseAgain.length === 0) return "";
  const keys = shortList(mayPauseAgain.map(({ key }) => key));
  return (
    ` Its override still covers ${keys}, as a tenant may have been renamed since the last \`up\`. If that is a tenant which was ` +
    "resumed, the next `up` would pause it again: take it out of the override by hand."
  );
}

function describeUnnamed({ unnamed }: StackChange): string {
  if (unnamed.length === 0) return "";
  const keys = shortList(unnamed.map(({ key }) => key));
  const [{ key, name, fleet = "new" } = { key: "", name: "" }] = unnamed;
  const whom =
    unnamed.length === 1
      ? "this entry another key, and keep its name"
      : "these entries other keys, and keep their names";
  const [newKey, oldKey, sameName] = [`${key}-${fleet}`, key, name].map(renderName);
  const entry = `${newKey}: { name: ${sameName}, aliases: [${oldKey}] }`;
  return ` No override can name ${keys} without pausing others. Give ${whom}: \`${entry}\`. Then run the same command again.`;
}

function doubt({ unknown }: StackChange): string {
  return unknown.length === 0 ? "" : ` The command cannot fully evaluate this file: ${unknown.join("; ")}.`;
}

function yamlLines({ yaml }: StackChange): string[] {
  return yaml === undefined ? [] : yaml.trimEnd().split("\n");
}

/** A word as a POSIX shell reads it. */
export function quoted(text: string): string {
  return /^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
