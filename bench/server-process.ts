import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server in a process of its own, so that it does not use the CPU time of the measured process. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
}

/** Starts a script and waits until it prints `Address: <url>`. Its standard input ends when this process ends. */
export async function startServer(script: string, ...args: string[]): Promise<ServerProcess> {
  const path = join(import.meta.dirname, "..", script);
  const child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Address: (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    return {
      url,
      [Symbol.asyncDispose]: async () => {
        child.kill("SIGTERM");
        if (child.exitCode === null) await once(child, "exit");
      },
    };
  }
  throw new Error(`${script} ended before it printed its address`);
}
