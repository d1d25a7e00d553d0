import pLimit from "p-limit";
import { createClient } from "../src/api/index.ts";
import { table } from "../src/cli/fit.ts";
import { createEmulator } from "../src/emulator/index.ts";
import { createOperationContext } from "../src/operation/operation-context.ts";
import type { PlatformAnswers } from "../src/platform-profile/questions.ts";
import { tenantLifecycle } from "../src/resources/tenant/lifecycle.ts";

const count = 1_000;
/** Tenants in work at once, as the engine has them by default. */
const atOnce = 200;

const measured: PlatformAnswers = { "answers.show": "stored", "configs.patch": "merge", "metadata.patch": "merge" };

/** The most requests of a tenant beside the lists, which its neighbours share. */
const limits = [
  { what: "no profile", platform: {}, create: 4.1, destroy: 1.05 },
  { what: "a profile with answers.show: stored", platform: measured, create: 3.1, destroy: 1.05 },
];

/**
 * Counts the requests of creating and archiving tenants with configs, metadata and `paused: false`. The counts do not depend on the
 * machine. The process ends with 1 if one is above its limit.
 */
export async function reportRequestsPerTenant(): Promise<void> {
  const rows: string[][] = [];
  for (const { what, platform, ...limit } of limits) {
    const counted = await countRequests(platform);
    for (const step of ["create", "destroy"] as const) {
      const { writes, lists } = counted[step];
      const isAbove = writes > limit[step];
      rows.push([what, step, writes.toFixed(2), String(limit[step]), lists.toFixed(2), isAbove ? "ABOVE" : ""]);
      if (isAbove) process.exitCode = 1;
    }
  }
  console.log(`\nRequests of a tenant, of ${count} with ${atOnce} at once`);
  console.log(table([["", "", "requests", "limit", "lists", ""], ...rows]));
}

async function countRequests(platform: PlatformAnswers) {
  const emulator = await createEmulator({ variants: { configs: "merge" } });
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  const operation = () => tenantLifecycle(createOperationContext({ client, warn: console.error, platform }));
  const limit = pLimit(atOnce);
  const counted = () => {
    const requests = emulator.requests();
    const lists = requests.filter(({ method, path }) => method === "GET" && path === "/v2/tenants").length;
    emulator.clearRequests();
    return { writes: (requests.length - lists) / count, lists: lists / count };
  };
  const [creating, deleting] = [operation(), operation()];
  const inputs = {
    integration: "crm-to-billing",
    paused: false,
    configs: { region: "eu" },
    metadata: { plan: "gold" },
  };
  const names = Array.from({ length: count }, (_, at) => `tenant-${at}`);
  const made = await Promise.all(names.map((name) => limit(() => creating.create({ ...inputs, name }))));
  const create = counted();
  await Promise.all(made.map(({ id, state }) => limit(() => deleting.delete(id, state))));
  const destroy = counted();
  await client.close();
  await emulator.close();
  return { create, destroy };
}
