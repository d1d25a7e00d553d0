import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oneLine } from "../../json/one-line.ts";
import { readRefusals, refusalsFileKey } from "../../provider/recorded-refusals.ts";
import { CommandError } from "../subcommand.ts";
import { type PreviewEvents, type PreviewedResource, readPreviewEvents } from "./preview-events.ts";

export interface StackToPreview {
  /** Default: the selected stack. */
  stack?: string | undefined;
  /** Folder of Pulumi.yaml, or a folder below it. Default: the working directory. */
  cwd?: string | undefined;
}

export interface PreviewedStack {
  stack: string;
  resources: PreviewedResource[];
  /** The warnings of the engine and of the providers. */
  warnings: string[];
  /** Why `up` would refuse to archive a tenant, by the tenant's id, whether `up` would archive it or not. */
  refusals: ReadonlyMap<number, string>;
}

/**
 * Previews a stack after a refresh. Neither the state nor the platform changes.
 *
 * @throws CommandError if the preview fails or ends early.
 */
export async function previewStack(options: StackToPreview): Promise<PreviewedStack> {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-drift-"));
  try {
    const refusalsFile = join(folder, "refusals");
    const preview = await previewWith({ [refusalsFileKey]: refusalsFile }, options);
    return { ...preview, refusals: await readRefusals(refusalsFile) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function previewWith(
  environment: NodeJS.ProcessEnv,
  { stack, cwd }: StackToPreview,
): Promise<Omit<PreviewedStack, "refusals">> {
  const stackArgs = stack === undefined ? [] : ["--stack", stack];
  const { code, stdout, stderr } = await runPulumi(
    ["preview", "--refresh", "--json", "--non-interactive", ...stackArgs],
    cwd,
    environment,
  );
  const events = readPreviewEvents(stdout);
  if (code !== 0 || !events.isFinished) throw new CommandError(failureMessage(code, events, stderr));
  const name = events.stack ?? stack;
  if (name === undefined) throw new CommandError("`pulumi preview` did not name its stack; name it with --stack");
  return { stack: name, resources: events.resources, warnings: events.warnings };
}

function failureMessage(code: number | null, { errors }: PreviewEvents, stderr: string): string {
  const messages = errors.length > 0 ? errors : stderr.split("\n");
  const lines = messages.flatMap((text) => text.trim().split("\n")).filter((line) => line.trim() !== "");
  const reasons = [...new Set(lines)].slice(-20).map((line) => `\n  ${oneLine(line)}`);
  const ending = code === 0 ? "ended early" : `failed with exit code ${code}`;
  return `\`pulumi preview --refresh\` ${ending}, so it is not known whether there is drift:${reasons.join("")}`;
}

interface PulumiOutcome {
  /** Null if a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

function runPulumi(
  args: readonly string[],
  cwd: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<PulumiOutcome> {
  // With this variable `--json` prints the engine's events, one in a line, and marks each secret. Without it, `--json`
  // prints a digest in which a secret looks like any other string.
  const env = { ...process.env, ...environment, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", (cause) => {
      const hint = "Check that the Pulumi CLI is on PATH, and that the folder of --cwd exists";
      reject(new CommandError(`cannot start \`pulumi preview\`: ${cause.message}. ${hint}`, { cause }));
    });
    child.on("close", (code) => resolve({ code, ...output }));
  });
}
