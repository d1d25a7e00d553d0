import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A provider process in which a test calls functions of ownership and locks. */
export interface ProviderProcess extends AsyncDisposable {
  ask(command: string, ...args: (string | number)[]): Promise<unknown>;
  kill(): Promise<void>;
}

export async function startProcess(folder: string, provider = "dynamic"): Promise<ProviderProcess> {
  const script = fileURLToPath(new URL("provider-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder, provider], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const kill = () => end(child);
  return {
    ask: async (command, ...args) => {
      child.stdin.write(`${JSON.stringify([command, ...args.map(String)])}\n`);
      return JSON.parse(Object(await lines.next()).value);
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
