import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

/** A local receiver in its own process, which is killed when the test ends. */
export interface ReceiverProcess {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves to the webhook URL once the receiver listens. */
  url(): Promise<string>;
  /** Sends a signal. Resolves to the exit code and the signal when the process ends. */
  end(signal: NodeJS.Signals): Promise<unknown[]>;
}

export function startProcess(...args: string[]): ReceiverProcess {
  const child = spawn(process.execPath, [main, "receiver", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });

  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    url: async () => {
      for (;;) {
        const [, url] = /^Webhook URL: (\S+)$/m.exec(stdout) ?? [];
        if (url !== undefined) return url;
        const [outcome] = await Promise.race([once(child.stdout, "data"), ended]);
        if (typeof outcome !== "string") throw new Error(`the receiver ended: ${stderr}`);
      }
    },
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
