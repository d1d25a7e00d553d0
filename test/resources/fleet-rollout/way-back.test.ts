import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import { type FleetRolloutInputs, fleetRolloutStateSchema } from "../../../src/resources/fleet-rollout/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import type { Stage } from "../stage.ts";
import { rolling, rollingStage, runs, up as upFleet } from "../tenant-fleet/rolling-fleet.ts";
import {
  type Both,
  failed,
  finishedOnV1,
  preview,
  unproven,
  upBoth,
  upsBoth,
  withApproval,
} from "./fleet-with-rollout.ts";
import { failOnNewer, inputsOf, newer, older, type RolloutStage, rolloutStage, up } from "./rollout-stage.ts";

test.concurrent("a way back leaves a tenant that the fleet took over on the newer release", async () => {
  await using on = await rollingStage();
  const two = { acme: {}, beta: {} };
  let at = await finishedOnV1(on, two);
  await on.add({ integration: "crm", name: "zeta", user_name: "u", integration_release_id: 502 });
  at = await upBoth(on, rolling(two, "v2"), at);
  const three = { ...two, zeta: { adopt: true as const } };
  at = await upBoth(on, rolling(three, "v2"), at, { paused: true });
  expect(await runs(on)).toEqual({ acme: 502, beta: 501, zeta: 502 });
  await upBoth(on, rolling(three, "v1"), at);
  expect(await runs(on)).toEqual({ acme: 501, beta: 501, zeta: 502 });
});

test.concurrent("a way back leaves a tenant that was pinned to the newer release before", async () => {
  await using on = await rollingStage();
  const three = { acme: {}, beta: {}, cedar: {} };
  const waves = { waves: [{ name: "canary", tenants: ["beta"] }, { percent: 100 }] };
  let at = await upBoth(on, rolling(three, "v1"), undefined, waves);
  at = await upBoth(on, rolling({ ...three, acme: { release: { tag: "v2" } } }, "v1"), at, waves);
  at = await upBoth(on, rolling(three, "v2"), at, waves);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 501 });
  await upBoth(on, rolling(three, "v1"), at, waves);
  expect(await runs(on)).toEqual({ acme: 502, beta: 501, cedar: 501 });
});

test.concurrent("a way back takes a tenant back that the fleet created on the release", async () => {
  await using on = await rollingStage();
  const two = { acme: {}, beta: {} };
  let at = await finishedOnV1(on, two);
  at = await upsBoth(4, on, rolling(two, "v2"), at);
  expect(at.rollout).toMatchObject({ phase: "done" });
  const unproven = { waves: [{ percent: 100 }], gate: { minTenants: 1 } }; // all move, and wait for a proof
  at = await upBoth(on, rolling(two, "v3"), at, unproven);
  at = await upBoth(on, rolling({ ...two, cedar: {} }, "v3"), at, unproven);
  expect(await runs(on)).toEqual({ acme: 503, beta: 503, cedar: 503 });
  await upBoth(on, rolling({ ...two, cedar: {} }, "v2"), at);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
});

test.concurrent("a way back takes a tenant back that the fleet created on a release that a newer one has superseded", async () => {
  await using on = await rollingStage();
  const two = { acme: {}, beta: {} };
  const three = { ...two, cedar: {} };
  let at = await finishedOnV1(on, two);
  const unproven = { waves: [{ percent: 100 }], gate: { minTenants: 1 } };
  at = await upBoth(on, rolling(two, "v2"), at, unproven);
  at = await upBoth(on, rolling(three, "v2"), at, unproven);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
  at = await upBoth(on, rolling(three, "v3"), at, unproven);
  expect(await runs(on)).toEqual({ acme: 503, beta: 503, cedar: 503 });
  await upBoth(on, rolling(three, "v1"), at);
  expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
});

test.concurrent.each([
  ["was pinned to it meanwhile", { release: { tag: "v2" } }],
  ["the next rollout left there", { paused: true }],
])(
  "a way back leaves a tenant on its release that the fleet created there after it had finished, and that %s",
  async (_, meanwhile) => {
    await using on = await rollingStage();
    const two = { acme: { paused: false }, beta: { paused: false } };
    let at = await finishedOnV1(on, two);
    at = await upsBoth(4, on, rolling(two, "v2"), at);
    at = await upsBoth(2, on, rolling({ ...two, cedar: {} }, "v2"), at);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
    const leaving = { gate: { minTenants: 0, whenPaused: "leave" as const } };
    at = await upsBoth(5, on, rolling({ ...two, cedar: meanwhile }, "v3"), at, leaving);
    expect(at.rollout).toMatchObject({ phase: "done", finished: 503 });
    expect(await runs(on)).toEqual({ acme: 503, beta: 503, cedar: 502 });
    const again = rolling({ ...two, cedar: {} }, "v2");
    at = await upBoth(on, again, at, unproven);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
    at = await upsBoth(2, on, again, failed(at), { ...unproven, onFailure: "rollback" });
    expect(at.rollout).toMatchObject({ phase: "failed", direction: "back" });
    expect(await runs(on)).toEqual({ acme: 503, beta: 503, cedar: 502 });
  },
);

test.concurrent("a way back takes a tenant back that the fleet created on a release from which a paused way back took nobody", async () => {
  await using on = await rollingStage();
  const two = { acme: {}, beta: {} };
  const three = { ...two, cedar: {} };
  let at = await finishedOnV1(on, two);
  at = await upBoth(on, rolling(two, "v2"), at, unproven);
  at = await upBoth(on, rolling(three, "v2"), at, unproven);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
  at = await upBoth(on, rolling(three, "v1"), at, { ...unproven, paused: true });
  at = await upBoth(on, rolling(three, "v3"), at, unproven);
  await upBoth(on, rolling(three, "v1"), at);
  expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
});

test.concurrent("the preview of a way back names a tenant that the fleet has created on the release", async () => {
  await using on = await rollingStage();
  const two = { acme: {}, beta: {} };
  const three = { ...two, cedar: {} };
  let at = await finishedOnV1(on, two);
  at = await upsBoth(4, on, rolling(two, "v2"), at);
  at = await upBoth(on, rolling(three, "v3"), await upBoth(on, rolling(two, "v3"), at, unproven), unproven);
  expect(await runs(on)).toEqual({ acme: 503, beta: 503, cedar: 503 });
  expect(await preview(on, rolling(three, "v2"), at)).toEqual([
    expect.stringMatching(/^rollout of fleet "billing" to v2: up takes back 3 tenants: /),
  ]);
  await upBoth(on, rolling(three, "v2"), at, unproven);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
});

test.concurrent("the status of a way back does not stay paused", async () => {
  await using on = await rollingStage();
  const three = { acme: {}, beta: {}, cedar: {} };
  let at = await finishedOnV1(on, three);
  at = await upsBoth(4, on, rolling(three, "v2"), at);
  at = await upBoth(on, rolling(three, "v3"), at, unproven);
  at = await upsBoth(2, on, rolling(three, "v2"), at);
  const status = "taken back: 3 tenants run again what they ran before";
  expect(at.rollout).toMatchObject({ phase: "done", status });
  const cedar = at.fleet.state.tenants.cedar?.tenantId ?? 0;
  await on.changeByHand(cedar, { integration_release_id: 501 });
  at = await upsBoth(2, on, rolling(three, "v2"), at, { paused: true });
  expect(at.rollout).toMatchObject({ phase: "done", status: `${status}, 2 of 3 on v2, paused` });
  await on.changeByHand(cedar, { integration_release_id: 502 });
  at = await upBoth(on, rolling(three, "v2"), at);
  expect(at.rollout).toMatchObject({ phase: "done", status });
});

test.concurrent("a way back takes a tenant back that a killed up has created on the release", async () => {
  await using on = await rollingStage();
  const two = { acme: {}, beta: {} };
  let at = await finishedOnV1(on, two);
  at = await upsBoth(4, on, rolling(two, "v2"), at);
  const unproven = { waves: [{ percent: 100 }], gate: { minTenants: 1 } };
  at = await upBoth(on, rolling(two, "v3"), at, unproven);
  await upFleet(on, rolling({ ...two, cedar: {} }, "v3"), at.fleet); // killed: nothing is stored
  at = await upBoth(on, rolling({ ...two, cedar: {} }, "v3"), at, unproven);
  await upBoth(on, rolling({ ...two, cedar: {} }, "v2"), at);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
});

test.concurrent.each([
  ["", false],
  [", in a state of an earlier version", true],
])(
  "what a way back has left because somebody changed it stays, also when others move later%s",
  async (_, isOfEarlierVersion) => {
    await using on = await rollingStage();
    const three = { acme: {}, beta: {}, cedar: {} };
    let at = await finishedOnV1(on, three);
    at = await upsBoth(4, on, rolling(three, "v2"), at);
    at = await upBoth(on, rolling(three, "v3"), at, { waves: [{ percent: 100 }], gate: { minTenants: 1 } });
    const id = (key: string) => at.fleet.state.tenants[key]?.tenantId ?? 0;
    await on.changeByHand(id("beta"), { integration_release_id: 501 });
    at = await upsBoth(3, on, rolling(three, "v2"), at);
    expect((await runs(on)).beta).toBe(501);
    if (isOfEarlierVersion) {
      const reasons = Object.entries(at.rollout?.reasons ?? {}).map(([one, reason]) => [
        one,
        reason.replace(/^the rollback left it: /, ""),
      ]);
      at = { ...at, rollout: fleetRolloutStateSchema.parse({ ...at.rollout, reasons: Object.fromEntries(reasons) }) };
    }
    await on.changeByHand(id("cedar"), { integration_release_id: 501 });
    await upsBoth(3, on, rolling(three, "v2"), at);
    expect(await runs(on)).toEqual({ acme: 502, beta: 501, cedar: 502 });
  },
);

test.concurrent("after a way back to a finished release, new tenants and those that are behind get it", async () => {
  await using on = await rollingStage();
  const tenants = { acme: {}, beta: {}, cedar: { configs: { region: "eu" } } }; // cedar does not fit v2
  let at = await upsBoth(4, on, rolling(tenants, "v2"), await upBoth(on, rolling(tenants)));
  expect(at.rollout).toMatchObject({ phase: "done", finished: 502 });
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 501 });
  at = await upBoth(on, rolling(tenants, "v3"), at);
  at = await upBoth(on, rolling(tenants, "v2"), at);
  expect(at.rollout).toMatchObject({ phase: "done", direction: "back" });
  const later = { acme: {}, beta: {}, cedar: {}, dune: {} };
  at = await upsBoth(3, on, rolling(later, "v2"), at);
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502, dune: 502 });
});

test.concurrent("a fleet that is replaced in the middle of its rollout begins a new one", async () => {
  await using on = await rollingStage();
  const three = { acme: {}, beta: {}, cedar: {} };
  const gate = { gate: { minTenants: 1 } };
  let at = await upBoth(on, rolling(three, "v1"), await upBoth(on, rolling(three)), gate);
  at = await upBoth(on, rolling(three, "v2"), at, gate);
  expect(at.rollout).toMatchObject({ phase: expect.stringMatching(/progressing|waiting/) });
  await on.operation().fleet.delete(at.fleet.id, at.fleet.state);
  let after = await upBoth(on, rolling(three, "v2"), { rollout: at.rollout }, gate);
  after = await upBoth(on, rolling(three, "v2"), after, gate);
  expect(after.rollout).toMatchObject({ phase: "done" });
  expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
});

describe.concurrent("a fleet that is replaced before its rollout's first wave has started", () => {
  const three = { acme: {}, beta: {}, cedar: {} };

  /** A replaced fleet after an `up`. Its rollout to v2 waited for an approval, so all of its new tenants were created on v2. */
  async function replaced(on: Stage, strategy: Partial<FleetRolloutInputs>): Promise<Both> {
    const waiting = await upBoth(on, rolling(three, "v2"), await upBoth(on, rolling(three)), withApproval);
    expect(waiting.rollout).toMatchObject({ phase: "waiting", startedWaves: [] });
    await on.operation().fleet.delete(waiting.fleet.id, waiting.fleet.state);
    return upBoth(on, rolling(three, "v2"), { rollout: waiting.rollout }, strategy);
  }

  test("begins a new one", async () => {
    await using on = await rollingStage();
    const after = await upBoth(on, rolling(three, "v2"), await replaced(on, withApproval), withApproval);
    expect(after.rollout).toMatchObject({ phase: "done" });
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
  });

  test("is not taken back to a release that it never ran", async () => {
    await using on = await rollingStage();
    const approved = { ...withApproval, approvals: { v2: { canary: "ada" } }, onFailure: "rollback" as const };
    await upBoth(on, rolling(three, "v2"), failed(await replaced(on, approved)), approved);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
  });
});

test.concurrent("a fleet that is replaced after a rollback begins a new rollout", async () => {
  await using on = await rollingStage();
  const three = { acme: {}, beta: {}, cedar: {} };
  const rollback = { ...unproven, onFailure: "rollback" as const };
  let at = await upBoth(on, rolling(three, "v2"), await upBoth(on, rolling(three)), rollback);
  at = await upBoth(on, rolling(three, "v2"), failed(at), rollback);
  expect(at.rollout).toMatchObject({ phase: "failed", direction: "back" });
  await on.operation().fleet.delete(at.fleet.id, at.fleet.state);
  const after = await upsBoth(
    2,
    on,
    rolling(three, "v2"),
    await upBoth(on, rolling(three, "v2"), { rollout: at.rollout }),
  );
  expect(after.rollout).toMatchObject({ phase: "done", direction: "forward" });
});

test.concurrent("the preview of a fleet that is replaced says what up does", async () => {
  await using on = await rollingStage();
  const three = { acme: {}, beta: {}, cedar: {} };
  let at = await upBoth(on, rolling(three, "v1"), await upBoth(on, rolling(three)));
  at = await upBoth(on, rolling(three, "v2"), at);
  const title = 'rollout of fleet "billing" to v1';
  expect(await preview(on, rolling(three, "v1"), at)).toEqual([`${title}: up takes back 1 tenant: acme`]);
  expect(await preview(on, rolling(three, "v1"), at, { isReplaced: true })).toEqual([
    `${title}: its tenants run it already`,
  ]);
});

test.concurrent("the preview of a way back before the first wave has started says that nobody is taken back", async () => {
  await using on = await rollingStage();
  const three = { acme: {}, beta: {}, cedar: {} };
  const at = await upBoth(on, rolling(three, "v2"), await upBoth(on, rolling(three)), withApproval);
  expect(await preview(on, rolling(three, "v1"), at)).toEqual([
    'rollout of fleet "billing" to v1: up takes back no tenants',
  ]);
});

test.concurrent("a way back ends although no list shows the release that a tenant ran before", async () => {
  await using on = await rolloutStage({ tenants: 3 });
  on.plan = { ...on.plan, before: { most: String(older), others: { 899: String(on.ids.t1) } } };
  await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: 899 });
  await failOnNewer(on, "t2");
  const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: "100%", onFailure: "rollback" });
  const { state } = await up(on, inputs);
  const back = await up(on, inputs, state);
  expect(back.message).toBeUndefined();
  expect(back.state).toMatchObject({ phase: "failed", direction: "back" });
});

/** An `up` whose PATCH of t1 arrives, and which is killed before it stores anything. */
async function killed(on: RolloutStage, inputs: FleetRolloutInputs): Promise<FleetRolloutInputs> {
  await call(on.emulator, "PATCH", `/v2/tenants/${on.ids.t1}`, { integration_release_id: newer });
  const earlier = [{ number: 1, release: newer ?? 0, joined: "" }];
  return { ...inputs, plan: { ...on.plan, number: 2, release: older ?? 0, label: "v1.0.0", earlier } };
}

test.concurrent("a way back takes a tenant back that a killed step has moved, although lists lag", async () => {
  const options = { variants: { visibility: "lagging" }, lagSeconds: 6 } as const;
  await using on = await rolloutStage({ tenants: 3, options });
  await sleep(400);
  const inputs = inputsOf(on, { waves: [{ name: "canary", tenants: ["t3"] }, { percent: 100 }], maxUnavailable: 1 });
  const { state } = await up(on, inputs);
  await up(on, await killed(on, inputs), state);
  await sleep(600);
  expect(await on.moved()).toEqual([]);
});

test.concurrent("the preview of a way back names only those that it takes back", async () => {
  await using on = await rolloutStage({ tenants: 3 });
  await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: newer }); // before the rollout
  const before = { most: String(older), others: { [newer ?? 0]: String(on.ids.t2) } };
  const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
  const inputs = inputsOf(on, { plan: { ...on.plan, before }, waves });
  const { state } = await up(on, inputs);
  const { context } = on.operation();
  const keys = Object.keys(on.ids);
  const members = keys.map((key) => ({ key, id: on.ids[key] }));
  const of = { integrationId: 101, fleet: "billing", keys, pinned: [], excluded: [], members, newcomers: [] };
  const plan = { ...of, attempt: 1, isNew: true, from: String(older) };
  const earlier = [{ number: 1, release: newer ?? 0, joined: "" }];
  context.previewedPlans.set("billing", { ...plan, release: older ?? 0, label: "v1.0.0", earlier });
  const lifecycle = fleetRolloutLifecycle(context);
  const previewed = { ...inputs, plan: unknownValue };
  await lifecycle.check(previewed, state);
  on.notes.length = 0;
  await lifecycle.diff("101/billing", state, previewed);
  expect(on.notes).toEqual([expect.stringMatching(/up takes back 1 tenant: t1$/)]);
});

test.concurrent.each(["is removed from the fleet", "is taken back by somebody else"])(
  "a way back has ended once the tenant that it left, as it was overridden, %s",
  async (how) => {
    await using on = await rollingStage();
    const tenants = { acme: {}, beta: {}, cedar: {} };
    let at = await finishedOnV1(on, tenants);
    at = await upsBoth(4, on, rolling(tenants, "v2"), at);
    at = await upBoth(on, rolling(tenants, "v3"), at, unproven);
    const paused = { ...tenants, beta: { override: { paused: true as const, reason: "INC-42" } } };
    at = await upsBoth(2, on, rolling(paused, "v2"), at, unproven);
    expect(at.rollout?.status).toContain("1 tenant is overridden");
    const idOf = (key: string) => at.fleet.state.tenants[key]?.tenantId ?? 0;
    const isRemoved = how.startsWith("is removed");
    if (!isRemoved) await on.changeByHand(idOf("beta"), { integration_release_id: 502 });
    const after = rolling(isRemoved ? { acme: {}, cedar: {} } : tenants, "v2");
    at = await upsBoth(2, on, after, at, unproven);
    expect(at.rollout).toMatchObject({ status: expect.not.stringContaining("overridden"), superseded: [] });
    await on.changeByHand(idOf("cedar"), { integration_release_id: 501 });
    await upsBoth(2, on, after, at, unproven);
    expect(await runs(on)).toMatchObject({ cedar: 502 }); // v2 is the tenants' setting again
  },
);

test.concurrent("a way back of a tenant that was overridden keeps its status while the platform fails", async () => {
  await using on = await rollingStage();
  const tenants = { acme: {}, beta: {} };
  let at = await finishedOnV1(on, tenants);
  at = await upBoth(on, rolling(tenants, "v2"), at, unproven);
  const paused = { ...tenants, beta: { override: { paused: true as const, reason: "INC-42" } } };
  at = await upBoth(on, rolling(paused, "v1"), at, unproven);
  at = { ...at, fleet: await upFleet(on, rolling(tenants, "v1"), at.fleet) }; // the override has ended
  on.emulator.fault({ kind: "status", status: 500, match: { method: "PATCH", path: "/v2/tenants/\\d+$" }, times: 99 });
  const failing = await upBoth(on, rolling(tenants, "v1"), at, unproven).catch((error: unknown) => Object(error).state);
  expect(failing).toMatchObject({ status: at.rollout?.status, history: at.rollout?.history });
  on.emulator.clearFaults();
  const back = await upBoth(on, rolling(tenants, "v1"), at, unproven);
  expect(back.rollout?.status).toMatch(/; 1 more taken back$/);
  expect(await runs(on)).toEqual({ acme: 501, beta: 501 });
});
