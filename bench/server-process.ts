import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A server in a process of its own, so that it does not share a core's time with what is measured. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
}

/** Starts a script that prints `Address: <url>`, and waits for that. Its standard input ends when this process does. */
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
  throw new Error(`${script} ended before it said its address`);
}
