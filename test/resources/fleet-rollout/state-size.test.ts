import { expect, test } from "vitest";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import { fastStage } from "../passing-time.ts";

const tenants = 300;
/** Beyond the state of the fleet without a rollout. */
const bytesMaximum = 60;

test("a rollout adds less than 60 bytes of state a tenant, in all of its states", async () => {
  await using on = await fastStage();
  const keys = Array.from({ length: tenants }, (_, index) => `customer-${String(index + 1).padStart(4, "0")}`);
  for (const key of keys) {
    await on.add({ integration: "crm-to-billing", name: key, user_name: key, integration_release_id: 901 });
  }
  const declared = { integration: "crm-to-billing", name: "billing", adopt: true } as const;
  const entries = Object.fromEntries(keys.map((key) => [key, {}]));
  const { id, state: without } = await tenantFleetLifecycle(on.operation().context).create({
    ...declared,
    tenants: entries,
  });
  const inputs = { ...declared, tenants: entries, rollout: { release: { tag: "v1.1.0" } } };
  const fleet = await tenantFleetLifecycle(on.operation().context).update(id, without, inputs);
  const plan = fleet.rolloutPlan;
  if (plan === undefined) throw new Error("the fleet has stored no plan");
  const rollout = {
    fleetName: "billing",
    integrationId: 101,
    plan,
    waves: [{ percent: 10 }, { percent: 50 }, { percent: 100 }],
    waitSeconds: 20,
  };

  let state = (await fleetRolloutLifecycle(on.operation().context).create(rollout)).state;
  // the engine stores the fleet's plan once, and the rollout's inputs and state
  const perTenant = () => (sizeOf(fleet) - sizeOf(without) + sizeOf(rollout) + sizeOf(state)) / tenants;
  const sizes = [perTenant()];
  for (const _ of [2, 3]) {
    state = await fleetRolloutLifecycle(on.operation().context).update("101/billing", state, rollout);
    sizes.push(perTenant());
  }
  expect(state).toMatchObject({ phase: "done", moved: tenants });
  expect(Math.max(...sizes)).toBeLessThan(bytesMaximum);
});

function sizeOf(value: object): number {
  return JSON.stringify(value).length;
}
