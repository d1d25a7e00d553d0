import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { FaultSpec, Variants } from "../../src/emulator/index.ts";
import { sendSuccessfully } from "../send-request.ts";

const recordSchema = z.looseObject({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  status: z.int().nullable(),
  fault: z.string().optional(),
  body: z.unknown().optional(),
  at: z.string(),
});
/** A request as the emulator logs it. */
export type LoggedRequest = z.infer<typeof recordSchema>;
const keySchema = z.looseObject({ id: z.int(), key: z.string() });
const keysSchema = z.array(z.looseObject({ id: z.int(), name: z.string(), revoked_date: z.string().nullable() }));

/** An emulator in a separate process, which can be killed and restarts at the same address with its stored data. */
export interface PlatformProcess extends AsyncDisposable {
  readonly url: string;
  /** Sends a plain HTTP request with a separate key. It meets no faults and is not counted. Throws if it fails. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** All requests except those of `call`, including those before a restart. */
  requests(): Promise<LoggedRequest[]>;
  /** The number of requests except those of `call`. Cheaper than reading them. */
  countRequests(): Promise<number>;
  clearRequests(): Promise<void>;
  /** Sets faults for every request except those of `call`. */
  fault(spec: FaultSpec): Promise<void>;
  clearFaults(): Promise<void>;
  /** Kills the emulator and restarts it after a pause. */
  restart(pauseMilliseconds: number): Promise<void>;
  /** Revokes all keys except the renewed one, including the key that the emulator started with. */
  revokeKeys(renewed: string): Promise<void>;
  makeKey(): Promise<string>;
}

interface Start {
  readonly apiKey: string;
  readonly data: string;
  readonly seed: string;
  readonly variants: Variants;
}

const main = `${import.meta.dirname}/../../src/cli/main.ts`;
const mark = "by=chaos";

export async function startPlatform({ apiKey, data, seed, variants }: Start): Promise<PlatformProcess> {
  const chosen = Object.entries(variants).flatMap(([name, value]) => ["--variant", `${name}=${value}`]);
  const args = ["--data", data, "--seed", seed, "--api-key", apiKey, "--lag-seconds", "0.5", ...chosen];
  let { child, url } = await start([...args, "--port", "0"]);
  let before: LoggedRequest[] = [];
  const idsOfKeys = new Map<string, number>();
  let isBack: Promise<void> = Promise.resolve();
  /** Waits while the platform is down. Sends a request again that the restart interrupted. */
  const reach: typeof send = async (...request) => {
    for (;;) {
      const wasBack = isBack;
      await wasBack;
      try {
        return await send(...request);
      } catch (error) {
        const isLost = error instanceof TypeError && wasBack !== isBack;
        if (!isLost) throw error;
      }
    }
  };
  const control = (method: string, path: string, body?: object) => reach(`${url}/_emulator/${path}`, method, {}, body);
  const { key: ownKey, id: ownKeyId } = keySchema.parse(await control("POST", "api-keys", { name: "chaos" }));

  const call: PlatformProcess["call"] = (method, path, body) => {
    const isApi = path.startsWith("/v2/");
    const marked = isApi ? `${url}${path}${path.includes("?") ? "&" : "?"}${mark}` : `${url}${path}`;
    return reach(marked, method, isApi ? { "x-api-key": ownKey } : {}, body);
  };
  const logged = async (ask = control) => [...before, ...z.array(recordSchema).parse(await ask("GET", "requests"))];
  const goAway = async (pauseMilliseconds: number) => {
    before = await logged((method, path) => send(`${url}/_emulator/${path}`, method, {}));
    await end(child);
    await sleep(pauseMilliseconds);
    ({ child } = await start([...args, "--port", new URL(url).port]));
  };
  return {
    url,
    call,
    requests: async () => (await logged()).filter(({ query }) => query.by === undefined),
    countRequests: async () => {
      const all = [before, await control("GET", "requests")].flat();
      return all.filter((record) => Object(record).query?.by === undefined).length;
    },
    clearRequests: async () => {
      before = [];
      await control("DELETE", "requests");
    },
    fault: async (spec) => {
      const query = `^(?!.*${mark})${spec.match?.query ?? ""}`;
      await control("POST", "faults", { ...spec, match: { ...spec.match, query } });
    },
    clearFaults: async () => void (await control("DELETE", "faults")),
    restart: (pauseMilliseconds) => {
      isBack = isBack.then(() => goAway(pauseMilliseconds));
      return isBack;
    },
    revokeKeys: async (renewed) => {
      for (const { id, revoked_date } of keysSchema.parse(await control("GET", "api-keys"))) {
        const isSpared = id === ownKeyId || id === idsOfKeys.get(renewed);
        if (!isSpared && revoked_date === null) await control("DELETE", `api-keys/${id}`);
      }
    },
    makeKey: async () => {
      const { id, key } = keySchema.parse(await control("POST", "api-keys", { name: "renewed" }));
      idsOfKeys.set(key, id);
      return key;
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function start(args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [main, "emulator", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Address: (\S+)/.exec(line) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error("the emulator ended before it said its address");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<unknown> {
  return (await sendSuccessfully({ url }, method, "", body, headers)).body;
}
