import { writeFile } from "node:fs/promises";
import { inLine } from "../../in-line.ts";
import { asJson } from "../as-json.ts";
import { table } from "../table.ts";
import { OutputError } from "../write-tenants-files.ts";
import { driftHtml } from "./drift-html.ts";
import { driftMarkdown } from "./drift-markdown.ts";
import { driftOf } from "./drift-of.ts";
import { type DriftText, driftColumns, driftText } from "./drift-rows.ts";
import { previewStack, type StackToPreview } from "./preview-stack.ts";

/** Whose drift is told, and where to. Each output is a file, or `-` for standard output. */
export interface DriftOptions extends StackToPreview {
  markdown?: string;
  json?: string;
  html?: string;
}

/** Tells the drift of a stack: in the files asked for, and as a table unless one of them is standard output. */
export async function runDrift({ markdown, json, html, ...stack }: DriftOptions): Promise<{ isInSync: boolean }> {
  const preview = await previewStack(stack);
  for (const warning of preview.warnings) console.error(warning.split("\n").map(inLine).join("\n"));
  const drift = driftOf(preview);
  const text = driftText(drift);
  const isInSync = drift.differences.length === 0;
  await write(markdown, () => driftMarkdown(text));
  await write(json, () => asJson({ isInSync, ...drift }));
  await write(html, () => driftHtml(text));
  if (![markdown, json, html].includes("-")) console.log(driftTable(text));
  return { isInSync };
}

function driftTable({ summary, parts }: DriftText): string {
  const tables = parts.map(
    ({ title, rows }) => `\n${title}:\n${table([driftColumns.map((name) => name.toUpperCase()), ...rows])}`,
  );
  return [summary, ...tables].join("\n");
}

async function write(path: string | undefined, content: () => string): Promise<void> {
  if (path === undefined) return;
  if (path === "-") {
    process.stdout.write(content());
    return;
  }
  try {
    await writeFile(path, content());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OutputError(`cannot write the drift to ${path}: ${reason}`, { cause });
  }
}
