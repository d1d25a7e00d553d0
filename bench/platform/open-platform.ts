import { z } from "zod";
import { startServer } from "../server-process.ts";
import { byName, type DeclaredTenant, type NamedTenant } from "../workload.ts";
import type { RequestCount } from "./request-count.ts";

/** The key that every contender uses. */
export const apiKey = "bench-key";

const tenantSchema = z.object({
  id: z.int(),
  name: z.string(),
  paused: z.boolean(),
  configs: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
});
const tenantsSchema = z.array(tenantSchema);
const countSchema = z.object({ requests: z.record(z.string(), z.int()), atOnce: z.int() });

/** A platform in another process, and what the benchmark itself does there; none of that is counted or made to wait. */
export interface BenchPlatform extends AsyncDisposable {
  readonly url: string;
  /** Each live tenant in the form in which it was declared, in the order of their names. */
  tenants(): Promise<NamedTenant[]>;
  /** Gives tenants other configs by hand. */
  changeByHand(configs: Readonly<Record<string, DeclaredTenant["configs"]>>): Promise<void>;
  /** The requests since they were reset. */
  requestCount(): Promise<RequestCount>;
  resetRequestCount(): Promise<void>;
}

/** @param latencyMilliseconds how long every request waits before it takes effect. */
export async function openPlatform(latencyMilliseconds = 0): Promise<BenchPlatform> {
  const args = ["--api-key", apiKey, "--latency-ms", String(latencyMilliseconds)];
  const server = await startServer("bench/platform/main.ts", ...args);
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const live = async () => tenantsSchema.parse(await ask("GET", "/_bench/tenants"));
  return {
    url: server.url,
    tenants: async () =>
      byName((await live()).map(({ name, paused, configs, data }) => ({ name, paused, configs, metadata: data }))),
    changeByHand: async (changes) => {
      for (const { id, name } of await live()) {
        const configs = changes[name];
        if (configs !== undefined) await ask("PATCH", `/_emulator/tenants/${id}`, { configs });
      }
    },
    requestCount: async () => countSchema.parse(await ask("GET", "/_bench/requests")),
    resetRequestCount: async () => void (await ask("DELETE", "/_bench/requests")),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
