import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import { rolling, rollingStage, runs } from "../tenant-fleet/rolling-fleet.ts";
import { failed, finishedOnV1, preview, unproven, upBoth, upsBoth } from "./fleet-with-rollout.ts";

const three = { acme: {}, beta: {}, cedar: {} };
const four = { ...three, dora: {} };

/** After a rollout of v1. */
async function begun() {
  const on = await rollingStage();
  const at = await finishedOnV1(on, three);
  return { on, at, [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

describe("the preview of an up that also changes the fleet", () => {
  test("tells of the way back of a failed rollout", async () => {
    await using stage = await begun();
    const { on } = stage;
    const rollback = { ...unproven, onFailure: "rollback" as const };
    const at = failed(await upBoth(on, rolling(three, "v2"), stage.at, rollback));
    const said = await preview(on, rolling(four, "v2"), at, { strategy: rollback });
    expect(said).toEqual([expect.stringMatching(/; up takes the tenants back to what they ran before$/)]);
    const pausing = await preview(on, rolling(four, "v2"), at, { strategy: { ...rollback, paused: true } });
    expect(pausing).toEqual([expect.stringMatching(/; paused, so nobody is taken back$/)]);
    const staying = await preview(on, rolling(four, "v2"), at, { strategy: { ...rollback, onFailure: "pause" } });
    expect(staying).toEqual([expect.not.stringContaining("back")]);
    await upBoth(on, rolling(four, "v2"), at, rollback);
    expect(await runs(on)).toMatchObject({ acme: 501, beta: 501, cedar: 501 });
  });

  test("tells of the way back of a tenant that was overridden", async () => {
    await using stage = await begun();
    const { on } = stage;
    let at = await upBoth(on, rolling(three, "v2"), stage.at, unproven);
    const paused = { ...three, beta: { override: { paused: true as const, reason: "INC-42" } } };
    at = await upsBoth(2, on, rolling(paused, "v1"), at, unproven);
    const said = await preview(on, rolling(three, "v1"), at, { strategy: unproven });
    expect(said).toEqual([expect.stringMatching(/; up takes back those whose override has ended$/)]);
    await upBoth(on, rolling(three, "v1"), at, unproven);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
  });

  test("says nothing of a rollout that has finished", async () => {
    await using stage = await begun();
    expect(await preview(stage.on, rolling(four, "v1"), stage.at)).toEqual([]);
  });

  test("tells of the way back from a rollout whose first step was killed", async () => {
    await using stage = await begun();
    const { on } = stage;
    const at = await upsBoth(4, on, rolling(three, "v2"), stage.at);
    const killed = await upBoth(on, rolling(three, "v3"), at);
    const said = await preview(on, rolling(three, "v2"), { fleet: killed.fleet, rollout: at.rollout });
    expect(said).toEqual([expect.stringContaining("up takes back 1 tenant: acme")]);
  });
});

test("the preview of a new fleet has the waves of the tenants that it takes over", async () => {
  await using on = await rollingStage();
  for (const name of ["acme", "beta"])
    await on.add({ integration: "crm", name, user_name: name, integration_release_id: 501 });
  const inputs = rolling({ acme: { adopt: true }, beta: { adopt: true } }, "v2");
  const waves = [{ name: "canary", tenants: ["acme"] }, { percent: 100 }];
  const { context, fleet } = on.operation();
  expect(await fleet.check(inputs, undefined)).toEqual([]);
  on.notes.length = 0;
  const previewed = { fleetName: "billing", integrationId: 1, waves, plan: unknownValue };
  expect(await fleetRolloutLifecycle(context).check(previewed, undefined)).toEqual([]);
  expect(on.notes).toEqual([expect.stringMatching(/\n {2}canary: 1 tenant: acme\n/)]);
});
