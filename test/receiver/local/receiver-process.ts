import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../../../src/receiver/local/main.ts", import.meta.url));

/** A local receiver in a process of its own, gone when the test is over. */
export interface ReceiverProcess {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The URL to send webhooks to, once it listens. */
  url(): Promise<string>;
  /** Sends the signal; resolves to how the process ended. */
  end(signal: NodeJS.Signals): Promise<unknown[]>;
}

export function startProcess(...args: string[]): ReceiverProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
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
