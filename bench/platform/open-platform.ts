import { z } from "zod";
import { sendSuccessfully } from "../../test/send-request.ts";
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

/** A platform in another process, with the benchmark's own requests to it, which are neither counted nor delayed. */
export interface BenchPlatform extends AsyncDisposable {
  readonly url: string;
  /** The live tenants in the form of their declarations, sorted by name. */
  tenants(): Promise<NamedTenant[]>;
  /** Changes the configs of tenants, by name, as somebody would by hand. */
  changeByHand(configs: Readonly<Record<string, DeclaredTenant["configs"]>>): Promise<void>;
  /** The requests since they were reset. */
  requestCount(): Promise<RequestCount>;
  resetRequestCount(): Promise<void>;
}

/** @param latencyMilliseconds how long the platform delays each request before it takes effect. */
export async function openPlatform(latencyMilliseconds = 0): Promise<BenchPlatform> {
  const args = ["--api-key", apiKey, "--latency-ms", String(latencyMilliseconds)];
  const server = await startServer("bench/platform/main.ts", ...args);
  const ask = async (method: string, path: string, body?: object): Promise<unknown> =>
    (await sendSuccessfully(server, method, path, body)).body;
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
