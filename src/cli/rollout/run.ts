import { oneLine } from "../../json/one-line.ts";
import { platformAddress, reportHead } from "../html-report/report-head.ts";
import { writeOutput } from "../output.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import { type ExitCode, exitCodes, rolloutExitCodes } from "../subcommand.ts";
import { renderJson, renderText } from "./render.ts";
import { renderHistory, renderHistoryJson } from "./render-history.ts";
import { renderHtml } from "./render-html.ts";
import { type RolloutChoice, readRollouts, type StackRollouts } from "./stack-rollouts.ts";

/** Which rollouts are shown, and where: each output is a file, or standard output if it is `-` or true. */
export interface StatusOptions extends RolloutChoice {
  json?: string | true | undefined;
  html?: string | true | undefined;
}

/** Writes where rollouts stand, and prints it as tables unless an output is standard output. */
export async function runStatus(shell: Shell, { json, html, ...choice }: StatusOptions): Promise<ExitCode> {
  const rollouts = await readRollouts(shell, choice);
  const createdAt = new Date();
  // Only the page needs the address, for which the Pulumi CLI runs once more.
  const platform = html === undefined ? undefined : await platformAddress(shell, choice);
  const head = reportHead({ project: rollouts.project, platform, createdAt });
  const outputs = [
    { path: pathOf(json), render: renderJson },
    { path: pathOf(html), render: renderHtml },
  ];
  for (const { path, render } of outputs) {
    if (path !== undefined) await writeOutput(shell, path, { what: "the status", content: render(rollouts, head) });
  }
  if (!outputs.some(({ path }) => path === "-")) shell.stdout.write(renderText(rollouts));
  return reportUnreadable(shell, rollouts) ?? worstOf(rollouts);
}

/** Which outcomes are shown, and where. */
export interface HistoryOptions extends RolloutChoice {
  json?: string | true | undefined;
}

/** Writes how rollouts ended, and prints it as tables unless the JSON goes to standard output. */
export async function runHistory(shell: Shell, { json, ...choice }: HistoryOptions): Promise<ExitCode> {
  const rollouts = await readRollouts(shell, choice);
  const path = pathOf(json);
  if (path !== undefined) await writeOutput(shell, path, { what: "the history", content: renderHistoryJson(rollouts) });
  if (path !== "-") shell.stdout.write(renderHistory(rollouts));
  return reportUnreadable(shell, rollouts) ?? exitCodes.success;
}

function pathOf(file: string | true | undefined): string | undefined {
  return file === true ? "-" : file;
}

function reportUnreadable(shell: Shell, { unreadable }: StackRollouts): ExitCode | undefined {
  for (const { urn, problem } of unreadable) {
    const hint = "Update this package, or run `up`";
    printToStandardError(shell, `error: cannot read the state of ${oneLine(urn)}: ${problem}. ${hint}`);
  }
  return unreadable.length === 0 ? undefined : exitCodes.failure;
}

function worstOf({ rollouts }: StackRollouts): ExitCode {
  const [worst = rolloutExitCodes.done] = rollouts
    .map(({ phase }) => rolloutExitCodes[phase])
    .sort((left, right) => right - left);
  return worst;
}
