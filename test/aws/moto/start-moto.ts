import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { preparePython } from "../../python/prepare-python.ts";

/** AWS as moto plays it, on a free port of this machine. */
export interface Moto extends AsyncDisposable {
  readonly url: string;
  /** What makes an AWS SDK in another process speak to it. */
  readonly env: Readonly<Record<string, string>>;
  /** What makes a client of an AWS SDK speak to it. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** From now on requests are held to the policies of who makes them; or, with false, no longer. */
  enforcePolicies(isEnforced: boolean): Promise<void>;
}

const region = "eu-central-1";

/** The Python environment of moto, and of AWS's Runtime Interface Emulator. */
export const prepareAwsPython = () => preparePython(join(import.meta.dirname, "requirements.txt"));

/**
 * Starts an empty moto. It runs no functions and serves no function URLs, and checks less than AWS does: what is brought
 * up here is wired right, and AWS may still refuse it.
 */
export async function startMoto(): Promise<Moto> {
  const programs = await prepareAwsPython();
  const child = spawn(join(programs, "python"), [join(import.meta.dirname, "serve.py")], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const url = `http://127.0.0.1:${await firstLine(child)}`;
  return {
    url,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
    client: { endpoint: url, region, credentials: { accessKeyId: "test", secretAccessKey: "test" } },
    enforcePolicies: async (isEnforced) => {
      const body = isEnforced ? "0" : "Infinity";
      const options = { method: "POST", body, headers: { "content-type": "text/plain" } };
      const { status } = await fetch(`${url}/moto-api/reset-auth`, options);
      if (status !== 200) throw new Error(`moto answered ${status} to reset-auth`);
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** The first line that a process prints, such as its port. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the process's output is not kept");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`${child.spawnfile} ended before it said anything`);
}

/** Ends a process, and waits until it has. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const hasEnded = once(child, "exit");
  child.kill("SIGKILL");
  await hasEnded;
}
