import { expect, test } from "vitest";
import type { TenantFleetInputs } from "../../../src/resources/tenant-fleet/schema.ts";
import { fastStage, requestsOf } from "../passing-time.ts";
import type { Stage } from "../stage.ts";
import { idIn, operation } from "./fleet-stage.ts";

const incident = { paused: true, reason: "INC-42" };
const sync = { mode: "init" as const, triggers: { version: 1 } };
const fleet: TenantFleetInputs = {
  integration: "crm-to-billing",
  name: "billing",
  adopt: true,
  sync,
  tenants: { acme: { paused: false }, bluebird: { paused: false, sync: { triggers: { version: 7 } } } },
};
const again: TenantFleetInputs = {
  ...fleet,
  sync: { ...sync, triggers: { version: 2 } },
  tenants: { acme: { paused: false }, bluebird: { paused: false, sync: { triggers: { version: 8 } } } },
};
const done = { isChanged: false };

async function stageOf() {
  const on = await fastStage({ variants: { pausedSync: "refuse" } });
  for (const name of ["acme", "bluebird"]) {
    await on.add({ integration: "crm-to-billing", name, user_name: `user-${name}` });
  }
  return on;
}

function asked(on: Stage): number {
  return requestsOf(on, "POST", /\/sync$/).length;
}

test("a sync that becomes due during an override waits without a diff, and the up after it requests it", async () => {
  await using on = await stageOf();
  const { id, state } = await operation(on).create(fleet);
  expect(asked(on)).toBe(2);
  on.emulator.clearRequests();
  const declared = { ...again, override: incident };
  const overridden = await operation(on).update(id, state, declared);
  expect(asked(on)).toBe(0);
  expect(await operation(on).diff(id, overridden, declared)).toEqual(done);
  const read = await operation(on).read(id, overridden);
  expect(read).toEqual({ inputs: declared, state: overridden });

  expect(await operation(on).diff(id, overridden, again)).toEqual({ isChanged: true });
  const after = await operation(on).update(id, overridden, again);
  expect(asked(on)).toBe(2);
  expect(Object.values(after.tenants).map((entry) => entry.sync?.outcome)).toEqual(["succeeded", "succeeded"]);
  expect(await operation(on).diff(id, after, again)).toEqual(done);
});

test("the sync of a tenant that is created under an override waits", async () => {
  await using on = await stageOf();
  const declared = { ...fleet, override: incident };
  const { id, state } = await operation(on).create(declared);
  expect(asked(on)).toBe(0);
  expect(await operation(on).diff(id, state, declared)).toEqual(done);
  await operation(on).update(id, state, fleet);
  expect(asked(on)).toBe(2);
});

test("only the syncs of overridden tenants wait, and a sync that is not due is not requested afterwards", async () => {
  await using on = await stageOf();
  const { id, state } = await operation(on).create(fleet);
  on.emulator.clearRequests();
  const acme = { paused: false, override: incident };
  const overridden = await operation(on).update(id, state, { ...again, tenants: { ...again.tenants, acme } });
  expect(requestsOf(on, "POST", /\/sync$/).map(({ path }) => path)).toEqual([
    `/v2/tenants/${idIn(state, "bluebird")}/sync`,
  ]);
  on.emulator.clearRequests();
  await operation(on).update(id, overridden, again);
  expect(requestsOf(on, "POST", /\/sync$/).map(({ path }) => path)).toEqual([
    `/v2/tenants/${idIn(state, "acme")}/sync`,
  ]);
});
