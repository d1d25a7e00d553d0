import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { requestsOf } from "../passing-time.ts";
import { stage } from "../stage.ts";
import { operation } from "./fleet-stage.ts";

const release = { id: 11, name: "one", tag: "v1", config_schema: { type: "object", properties: {} } };
const integrations = [{ id: 1, name: "crm", releases: [release], default_release_id: 11 }];

/** A platform with `count` tenants and a fleet of all of them. */
function fleetOf(count: number) {
  const tenants = Array.from({ length: count }, (_, index) => ({
    id: 20_000 + index,
    integration: 1,
    name: `t-${index}`,
    configs: { region: "eu", index },
  }));
  const entries = tenants.map(({ id, name, configs }) => [name, { paused: true, configs, tenantId: id }] as const);
  const tenantIds = Object.fromEntries(tenants.map(({ id, name }) => [name, id]));
  const state = { integration: "crm", name: "crm", integrationId: 1, tenants: Object.fromEntries(entries), tenantIds };
  return { seed: { integrations, tenants }, state };
}

// two of them are for the integrations: a short page is the last only once another has shown it
test.each([
  [1000, 5],
  [3000, 9],
  [10_000, 23],
])("a refresh of %d tenants without metadata costs at most %d requests", async (count, requests) => {
  const { seed, state } = fleetOf(count);
  await using on = await stage({ seed });
  const read = await operation(on).read("1/crm", state);
  expect(read?.state).toEqual(state);
  expect(on.emulator.requests().length).toBeLessThanOrEqual(requests);
  expect(on.emulator.requests().every(({ method }) => method === "GET")).toBe(true);
});

test("drift costs one more request, for the releases whose schemas define which values are equal", async () => {
  const { seed, state } = fleetOf(1000);
  await using on = await stage({ seed });
  for (let id = 20_000; id < 20_100; id += 1) await on.changeByHand(id, { configs: { region: "us" } });
  const read = await operation(on).read("1/crm", state);
  expect(Object.values(read?.inputs.tenants ?? {}).filter(({ configs }) => configs?.region === "us")).toHaveLength(100);
  expect(on.emulator.requests().length).toBeLessThanOrEqual(6);
});

test("metadata costs one request for each tenant that declares metadata", async () => {
  const { seed, state } = fleetOf(100);
  await using on = await stage({ seed });
  const some = Object.entries(state.tenants).map(([key, entry], index) => [
    key,
    index < 10 ? { ...entry, metadata: { plan: "gold" } } : entry,
  ]);
  await operation(on).read("1/crm", { ...state, tenants: Object.fromEntries(some) });
  const metadata = on.emulator.requests().filter(({ path }) => path.endsWith("/metadata"));
  expect(metadata).toHaveLength(10);
});

// the engine passes the tenants of a fleet in any order, in which those of one moment are far apart in the list of tenants
test("archiving and changing tenants in any order reads few parts of the list", { timeout: 60_000 }, async () => {
  const { seed, state } = fleetOf(3000);
  const anyOrder = Object.entries(state.tenants).toSorted(([left], [right]) => (spread(left) < spread(right) ? -1 : 1));
  await using on = await stage({ seed });
  const changed = anyOrder.map(([key, { paused, configs }]) => [
    key,
    { paused, configs: { ...configs, region: "us" } },
  ]);
  const inputs = { integration: "crm", name: "crm", tenants: Object.fromEntries(changed) };
  const stored = { ...state, tenants: Object.fromEntries(anyOrder) };
  const after = await operation(on).update("1/crm", stored, inputs);
  expect(requestsOf(on, "PATCH", /^\/v2\/tenants\/\d+$/)).toHaveLength(3000);
  expect(requestsOf(on, "GET", /^\/v2\/tenants$/).length).toBeLessThanOrEqual(300);

  on.emulator.clearRequests();
  await operation(on).delete("1/crm", after);
  expect(await on.live()).toEqual([]);
  expect(requestsOf(on, "GET", /^\/v2\/tenants$/).length).toBeLessThanOrEqual(300);
});

function spread(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
