import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { preparePython } from "../../python/prepare-python.ts";

/** A moto server, which emulates AWS, on a free port of this machine. */
export interface Moto extends AsyncDisposable {
  readonly url: string;
  /** Environment variables that make an AWS SDK use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Options that make a client of the AWS SDK use it. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** Turns the enforcement of IAM policies on or off for the requests from now on. */
  enforcePolicies(isEnforced: boolean): Promise<void>;
}

const region = "eu-central-1";

/** Prepares the Python environment of moto and of AWS's Runtime Interface Emulator. */
export const prepareAwsPython = () => preparePython(join(import.meta.dirname, "requirements.txt"));

/**
 * Starts an empty moto. It runs no functions, serves no function URLs, and validates less than AWS: what it accepts, AWS
 * may still reject.
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

/** Resolves to the first line that a process prints, such as its port. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the process was started without a pipe for its output");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`${child.spawnfile} ended before it printed a line`);
}

/** Kills a process and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const hasEnded = once(child, "exit");
  child.kill("SIGKILL");
  await hasEnded;
}
