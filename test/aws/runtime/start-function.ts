import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "../moto/start-moto.ts";
import { prepareRuntime } from "./prepare-runtime.ts";

/** A function's bundle, run by AWS's runtime on Node.js 24. */
export interface RunningFunction extends AsyncDisposable {
  /** Invokes the function, one invocation at a time. Resolves to its result. */
  invoke(event: unknown): Promise<unknown>;
  /** Its log so far. */
  logged(): string;
}

/** Starts a function from a bundle. The first invocation initialises it. */
export async function startFunction(
  bundle: string,
  { env, timeoutSeconds }: { readonly env: Readonly<Record<string, string>>; readonly timeoutSeconds: number },
): Promise<RunningFunction> {
  const { emulator, node, client } = await prepareRuntime();
  const folder = await mkdtemp(join(tmpdir(), "lambda-task-"));
  await copyFile(bundle, join(folder, "index.mjs"));
  const [port, runtimePort] = [await freePort(), await freePort()];
  const addresses = [
    ...["--runtime-interface-emulator-address", `127.0.0.1:${port}`],
    ...["--runtime-api-address", `127.0.0.1:${runtimePort}`],
  ];
  const child = spawn(emulator, [...addresses, "--log-level", "error", node, client, "index.handler"], {
    cwd: folder,
    env: { ...env, LAMBDA_TASK_ROOT: folder, AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeoutSeconds), HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a process group, to kill the runtime that the emulator starts
  });
  let logged = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (logged += text));

  const invokeAt = `http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`;
  let last: Promise<unknown> = listening(port, child).catch(() => undefined); // an invocation then fails, if there is one
  const invokeNow = async (event: unknown): Promise<unknown> => {
    const response = await fetch(invokeAt, { method: "POST", body: JSON.stringify(event) });
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    invoke: (event) => {
      const before = last.catch(() => undefined); // the emulator panics on concurrent invocations
      const invocation = before.then(() => invokeNow(event));
      last = invocation;
      return invocation;
    },
    logged: () => logged,
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (await isOpen(port)) return;
    await sleep(50);
  }
  throw new Error("the Runtime Interface Emulator did not start to listen within 10 seconds");
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
