import { eachOneLine } from "../../json/one-line.ts";
import { platformAddress, reportHead } from "../html-report/report-head.ts";
import { writeOutput } from "../output.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { type Drift, findDrift, isInSync } from "./find-drift.ts";
import { type DriftRun, recordRun } from "./history.ts";
import { readHistory, writeHistory } from "./history-file.ts";
import { previewStack } from "./preview.ts";
import { renderJson, renderText } from "./render.ts";
import { renderHtml } from "./render-html.ts";
import { renderMarkdown } from "./render-markdown.ts";

/**
 * The stack, the file with what earlier runs found, and where the drift is written: each output is a file, or `-` for standard
 * output.
 */
export interface DriftOptions extends StackChoice {
  history?: string | undefined;
  markdown?: string | undefined;
  json?: string | undefined;
  html?: string | undefined;
}

/** Writes the drift of a stack to the files in the options, and prints it as tables unless `-` is among them. */
export async function runDrift(
  shell: Shell,
  { history, markdown, json, html, ...stack }: DriftOptions,
): Promise<ExitCode> {
  if (history !== undefined) await readHistory(shell, history); // a file that cannot be used fails before the preview
  const preview = await previewStack(shell, stack);
  for (const warning of preview.warnings) printToStandardError(shell, eachOneLine(warning));
  const found = findDrift(preview);
  const outputs = [
    { path: markdown, render: renderMarkdown },
    { path: json, render: renderJson },
    { path: html, render: renderHtml },
  ];
  const hasFiles = outputs.some(({ path }) => path !== undefined);
  const platform = hasFiles ? await platformAddress(shell, stack) : undefined;
  const head = reportHead({ project: preview.project, platform, createdAt: new Date() });
  const run = { project: preview.project, stack: preview.stack, at: head.createdAt };
  const drift = history === undefined ? found : await inHistory(shell, history, found, run);
  for (const { path, render } of outputs) {
    if (path !== undefined) await writeOutput(shell, path, { what: "the drift report", content: render(drift, head) });
  }
  if (!outputs.some(({ path }) => path === "-")) shell.stdout.write(renderText(drift));
  return isInSync(drift) ? exitCodes.success : exitCodes.drift;
}

/** Adds the drift to its history. Reads the file again, because another run may have written it during the preview. */
async function inHistory(shell: Shell, path: string, drift: Drift, run: DriftRun): Promise<Drift> {
  const { history, differences, known } = recordRun(await readHistory(shell, path), run, drift.differences);
  await writeHistory(shell, path, history);
  return { ...drift, differences, history: known };
}
