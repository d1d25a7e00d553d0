import { oneLine } from "../../json/one-line.ts";
import { platformAddress, reportHead } from "../html-report/report-head.ts";
import { writeOutput } from "../output.ts";
import type { StackChoice } from "../stack-choice.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { findDrift } from "./find-drift.ts";
import { previewStack } from "./preview.ts";
import { renderJson, renderText } from "./render.ts";
import { renderHtml } from "./render-html.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** The stack, and where its drift is written: each output is a file, or `-` for standard output. */
export interface DriftOptions extends StackChoice {
  markdown?: string | undefined;
  json?: string | undefined;
  html?: string | undefined;
}

/** Writes the drift of a stack to the files in the options, and prints it as tables unless `-` is among them. */
export async function runDrift({ markdown, json, html, ...stack }: DriftOptions): Promise<ExitCode> {
  const preview = await previewStack(stack);
  for (const warning of preview.warnings) console.error(warning.split("\n").map(oneLine).join("\n"));
  const drift = findDrift(preview);
  const createdAt = new Date();
  const outputs = [
    { path: markdown, render: renderMarkdown },
    { path: json, render: renderJson },
    { path: html, render: renderHtml },
  ];
  const hasFiles = outputs.some(({ path }) => path !== undefined);
  const platform = hasFiles ? await platformAddress(stack) : undefined;
  const head = reportHead({ project: preview.project, platform, createdAt });
  for (const { path, render } of outputs) {
    if (path !== undefined) await writeOutput(path, { what: "the drift report", content: render(drift, head) });
  }
  if (!outputs.some(({ path }) => path === "-")) process.stdout.write(renderText(drift));
  return drift.differences.length === 0 ? exitCodes.success : exitCodes.drift;
}
