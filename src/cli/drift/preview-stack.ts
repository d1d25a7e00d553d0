import { spawn } from "node:child_process";
import { inLine } from "../../in-line.ts";
import { type PreviewEvents, type PreviewedResource, readPreviewEvents } from "./preview-events.ts";

/** Which stack to look at, and where. */
export interface StackToPreview {
  /** Default: the selected one. */
  stack?: string | undefined;
  /** Folder of Pulumi.yaml, or one below it. Default: the working directory. */
  cwd?: string | undefined;
  /** Default: this process's. */
  env?: NodeJS.ProcessEnv;
}

/** A preview that could not be made, or not be understood. */
export class PreviewError extends Error {
  override readonly name = "PreviewError";
}

/** What a preview that looks at the platform first says of a stack's resources. Changes neither state nor platform. */
export async function previewStack({ stack, cwd, env }: StackToPreview): Promise<PreviewedStack> {
  const args = [
    "preview",
    "--refresh",
    "--json",
    "--non-interactive",
    ...(stack === undefined ? [] : ["--stack", stack]),
  ];
  // one event a line, in which secrets cannot be taken for texts
  const { code, stdout, stderr } = await runPulumi(args, {
    cwd,
    env: { ...(env ?? process.env), PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" },
  });
  const events = readPreviewEvents(stdout);
  if (code !== 0 || !events.isFinished) throw new PreviewError(failureOf(code, events, stderr));
  const name = events.stack ?? stack;
  if (name === undefined) throw new PreviewError("`pulumi preview` named no stack");
  return { stack: name, resources: events.resources, warnings: events.warnings };
}

/** A stack as the preview saw it. */
export interface PreviewedStack {
  stack: string;
  resources: PreviewedResource[];
  /** What the engine and the provider said beside it. */
  warnings: string[];
}

function failureOf(code: number | null, { errors }: PreviewEvents, stderr: string): string {
  const said = errors.length > 0 ? errors : stderr.split("\n");
  const lines = said.flatMap((text) => text.trim().split("\n")).filter((line) => line.trim() !== "");
  const reasons = [...new Set(lines)].slice(-20).map((line) => `\n  ${inLine(line)}`);
  return `\`pulumi preview --refresh\` ended with ${code}, so nothing is known of any drift:${reasons.join("")}`;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function runPulumi(
  args: readonly string[],
  options: { cwd: string | undefined; env: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", (cause) => {
      const hint = "is the Pulumi CLI on PATH, and the folder of --cwd there?";
      reject(new PreviewError(`\`pulumi preview\` could not be started (${cause.message}): ${hint}`, { cause }));
    });
    child.on("close", (code) => resolve({ code, ...output }));
  });
}
