import { describe, expect, test } from "vitest";
import { fleetRolloutStateSchema } from "../../../src/resources/fleet-rollout/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { withPassingTime } from "../passing-time.ts";
import type { Stage } from "../stage.ts";
import { rolling, rollingStage, runs } from "../tenant-fleet/rolling-fleet.ts";
import { type Both, failed, finishedOnV1, tryBoth, unproven, upBoth, upsBoth } from "./fleet-with-rollout.ts";

const two = { acme: {}, beta: {} };
const three = { ...two, cedar: {} };
const rollback = { ...unproven, onFailure: "rollback" as const };
const v2again = { release: { tag: "v2" }, attempt: 2 };

describe("a rollback after two rollouts that did not finish, of which all tenants run the first", () => {
  test("takes back a tenant that was created during the second one", async () => {
    await using on = await rollingStage();
    const start = await finishedOnV1(on, two);
    let at = failed(await upBoth(on, rolling(two, "v2"), start, unproven));
    at = await upBoth(on, rolling(three, "v3"), at, unproven);
    await upBoth(on, rolling(three, "v1"), at, unproven);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
  });

  test("takes back a tenant that is created in the same up", async () => {
    await using on = await rollingStage();
    const start = await finishedOnV1(on, two);
    let at = failed(await upBoth(on, rolling(two, "v2"), start, unproven));
    at = await upBoth(on, rolling(two, "v3"), at, unproven);
    await upsBoth(2, on, rolling(three, "v1"), at, unproven);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
  });

  test("takes back a tenant that was created during the second attempt, and creates new ones on what it ran before", async () => {
    await using on = await rollingStage();
    const start = await finishedOnV1(on, two);
    let at = failed(await upBoth(on, rolling(two, "v2"), start, unproven));
    at = failed(await upBoth(on, rolling(two, v2again), at, unproven));
    at = await upsBoth(2, on, rolling(three, "v1"), at, unproven);
    await upsBoth(2, on, rolling({ ...three, dora: {} }, "v1"), at, unproven);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501, dora: 501 });
  });
});

test.each([
  { what: "pinned", beta: { release: { tag: "v1" } }, exclude: [], runsInTheEnd: 501 },
  { what: "excluded", beta: {}, exclude: ["beta"], runsInTheEnd: 502 },
])("a failed rollout goes on once its failed tenant is $what and attempt is raised, not before", async (change) => {
  await using on = withPassingTime(await rollingStage({}, { clock: "manual" }));
  const strategy = { waves: [{ tenants: ["acme"] }, { tenants: ["beta"] }, { percent: 100 }], waitSeconds: 20 };
  const start = await finishedOnV1(on, three);
  for (const { id } of await on.live())
    await on.changeByHand(id, { paused: false, status: { auth: { connected: true } } });
  await call(on.emulator, "PATCH", "/_emulator/integrations/1", {
    runs: { takes_seconds: 0, releases: [{ tag: "v2", tenants: ["beta"], outcome: "fail" }] },
  });
  let at: Both & { failure?: Error | undefined } = start;
  for (let count = 0; count < 4 && at.failure === undefined; count += 1)
    at = await tryBoth(on, rolling(three, "v2"), at, strategy);
  expect(at.failure?.message).toContain("beta");
  expect(at.rollout?.status).toMatch(/failed/);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 501 });

  const tenants = { ...three, beta: change.beta };
  const release = { release: { tag: "v2" }, exclude: change.exclude };
  const without = { ...strategy, waves: [{ tenants: ["acme"] }, { percent: 100 }] };
  at = await upsBoth(3, on, rolling(tenants, release), at, { ...without, maxFailures: 3 });
  expect(await runs(on)).toEqual({ acme: 502, beta: change.runsInTheEnd, cedar: 501 });

  on.emulator.clearRequests();
  at = await upsBoth(4, on, rolling(tenants, { ...release, attempt: 2 }), at, without);
  expect(at.rollout?.phase).toBe("done");
  expect(await runs(on)).toEqual({ acme: 502, beta: change.runsInTheEnd, cedar: 502 });
  const synced = on.emulator.requests().filter(({ path }) => path.endsWith("/sync"));
  expect(synced).toHaveLength(1); // of cedar: acme is proven
});

test.each(["billing", "billing2"])(
  "a release that failed and was rolled back is not tried again by the fleet %s, which takes its tenants over",
  async (name) => {
    await using on = await rollingStage();
    const at = await rolledBack(on);
    expect(at.rollout).toMatchObject({ phase: "failed", direction: "back", planNumber: 2 });
    const adopt = { adopt: true as const };
    const taking = rolling({ acme: adopt, beta: adopt, cedar: adopt }, "v2", { name });
    await upBoth(on, taking, { rollout: at.rollout }, rollback);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
  },
);

test("a fleet with new tenants, which replaces one whose release was rolled back, begins anew", async () => {
  await using on = await rollingStage();
  const at = await rolledBack(on);
  const others = { dora: {}, ember: {} };
  const all = { waves: [{ percent: 100 }] };
  let next = await upBoth(on, rolling(others, "v1", { name: "billing2" }), { rollout: at.rollout }, all);
  next = await upsBoth(2, on, rolling(others, "v1", { name: "billing2" }), next, all);
  expect(next.rollout?.status).toBe("all waves have passed, 2 of 2 on v1");
  await upsBoth(2, on, rolling(others, "v2", { name: "billing2" }), next, unproven);
  expect(await runs(on)).toMatchObject({ dora: 502, ember: 502 });
});

/** A fleet whose second rollout, to v2, has failed and was rolled back to v1. */
async function rolledBack(on: Stage): Promise<Both> {
  const at = withFailure(failed(await upBoth(on, rolling(three, "v2"), await finishedOnV1(on, three), rollback)));
  return upsBoth(2, on, rolling(three, "v2"), at, rollback);
}

/** A failed rollout, with the outcome that a failed wave leaves. */
function withFailure({ rollout, ...at }: Both): Both {
  const { release, label, attempt, clock, history } = fleetRolloutStateSchema.parse(rollout);
  const counts = { proven: 0, skipped: 0, left: 0, failed: 1 };
  const past = { release, label, attempt, outcome: "failed", at: clock, ...counts };
  return { ...at, rollout: fleetRolloutStateSchema.parse({ ...rollout, history: [past, ...history] }) };
}
