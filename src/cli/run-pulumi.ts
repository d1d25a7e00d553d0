import { spawn } from "node:child_process";
import { oneLine } from "../json/one-line.ts";
import { type Place, pathIn } from "./shell.ts";
import { CommandError } from "./subcommand.ts";

/** How a run of the Pulumi CLI ended. */
export interface PulumiOutcome {
  /** Null if a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the Pulumi CLI that is on PATH, without a terminal.
 *
 * @param options.seconds how long it may run. Default: as long as it takes.
 * @throws CommandError if it cannot be started, or does not end in time.
 */
export function runPulumi(
  place: Place,
  args: readonly string[],
  {
    cwd = "",
    env = {},
    seconds,
  }: { cwd?: string | undefined; env?: NodeJS.ProcessEnv; seconds?: number | undefined } = {},
): Promise<PulumiOutcome> {
  return new Promise((resolve, reject) => {
    // gRPC, which programs speak with the engine, would send even that through a proxy named in lower case.
    const environment = { no_grpc_proxy: "127.0.0.1", ...place.env, ...env };
    const child = spawn("pulumi", args, {
      cwd: pathIn(place, cwd),
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", (cause) => {
      const hint = "Check that the Pulumi CLI is on PATH, and that the folder of --cwd exists";
      reject(new CommandError(`cannot start \`pulumi ${args[0]}\`: ${cause.message}. ${hint}`, { cause }));
    });
    const end = () => {
      child.kill("SIGKILL");
      // Processes that it has started may hold them open.
      child.stdout.destroy();
      child.stderr.destroy();
      reject(new CommandError(`\`pulumi ${args[0]}\` did not end within ${seconds} s`));
    };
    const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1000);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}

/** The last lines of a failed run's messages, without repetitions, each on a line of its own below an error. */
export function reasonLines(messages: readonly string[]): string {
  const lines = messages.flatMap((text) => text.trim().split("\n")).filter((line) => line.trim() !== "");
  return [...new Set(lines)]
    .slice(-20)
    .map((line) => `\n  ${oneLine(line)}`)
    .join("");
}
