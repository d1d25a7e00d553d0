// A wrong `Date` header wakes nobody: judged by the requests, the states and the warnings of new processes.
import { beforeAll, describe, expect, test } from "vitest";
import { createClient, type MachineClock } from "../../src/api/index.ts";
import { createManualClock, type ManualClock } from "../../src/emulator/index.ts";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { tenantLifecycle } from "../../src/resources/tenant/lifecycle.ts";
import { tenantFleetLifecycle } from "../../src/resources/tenant-fleet/lifecycle.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { machineClockOf } from "../machine-clock.ts";
import { inputsOf, type RolloutStage, rolloutStage, up } from "./fleet-rollout/rollout-stage.ts";
import { acme, stage } from "./stage.ts";

const day = 86_400;
const start = "2030-01-01T00:00:00Z";
const override = { paused: true, reason: "INC-42", until: "2030-01-01T02:00:00Z" };
const fleet = { integration: "crm-to-billing", name: "billing", tenants: { bluebird: {}, cedar: {} } };

/** A tenant and a fleet whose override has two hours to go, and that ran before. The request log is empty. */
async function incident() {
  const clock = createManualClock(start);
  const on = await stage({ clock });
  const warnings: string[] = [];
  /** The lifecycles of a new process. */
  const begin = (machineClock: MachineClock = machineClockOf(clock)) => {
    const client = createClient({ baseUrl: on.emulator.url, apiKey: on.emulator.apiKey, machineClock });
    const warn = (message: string) => warnings.push(message);
    const context = createOperationContext({ client, warn, consistencyTimeoutSeconds: 0.3 });
    return { tenant: tenantLifecycle(context), fleet: tenantFleetLifecycle(context), close: client.close };
  };
  const first = begin();
  const tenant = await first.tenant.create({ ...acme });
  const fleets = await first.fleet.create(fleet);
  for (const { id } of await on.live()) await on.changeByHand(id, { paused: false });
  const ofTenant = await first.tenant.update(tenant.id, tenant.state, { ...acme, override });
  const ofFleet = await first.fleet.update(fleets.id, fleets.state, { ...fleet, override });
  await first.close();
  on.emulator.clearRequests();
  const running = async () => (await on.live()).flatMap(({ name, paused }) => (paused ? [] : [name])).sort();
  /** A refresh and an `up` of both in a new process. */
  const next = async (machineClock?: MachineClock) => {
    const one = begin(machineClock);
    await one.tenant.check({ ...acme, override }, { ...acme, override });
    await one.fleet.check({ ...fleet, override }, { ...fleet, override });
    const seen = await one.tenant.read(tenant.id, ofTenant);
    const seenFleet = await one.fleet.read(fleets.id, ofFleet);
    if (seen === undefined || seenFleet === undefined) throw new Error("a tenant is gone");
    const diffs = [
      await one.tenant.diff(tenant.id, seen.state, { ...acme, override }),
      await one.fleet.diff(fleets.id, seenFleet.state, { ...fleet, override }),
    ];
    const after = await one.tenant.update(tenant.id, seen.state, { ...acme, override });
    const afterFleet = await one.fleet.update(fleets.id, seenFleet.state, { ...fleet, override });
    await one.close();
    return { diffs, overridden: [after.overridden, ...Object.values(afterFleet.tenants).map((one) => one.overridden)] };
  };
  return { on, clock, warnings, running, next };
}

const unchanged = [{ isChanged: false }, { isChanged: false }];
const stillApplied = { diffs: unchanged, overridden: [{ paused: false }, { paused: false }, { paused: false }] };

describe.concurrent("an override", () => {
  test.each([day, -day])("of tenants stays as it is if one response is %d seconds away", async (seconds) => {
    const at = await incident();
    await using on = at.on;
    on.emulator.fault({ kind: "wrong-date", seconds });
    expect(await at.next()).toEqual(stillApplied);
    expect(on.writes()).toEqual([]);
    expect(await at.running()).toEqual([]);
    expect(at.warnings).toEqual([]);
  });

  test("that has ended does not pause anybody again because of one response", async () => {
    const at = await incident();
    await using on = at.on;
    at.clock.moveTo(Date.parse("2030-01-01T02:00:01Z"));
    on.emulator.fault({ kind: "wrong-date", seconds: -day });
    expect(await at.next()).toMatchObject({ overridden: [undefined, undefined, undefined] });
    expect(await at.running()).toEqual(["acme", "bluebird", "cedar"]);
  });

  test("stays as it is if all responses disagree, and a warning names both times, once", async () => {
    const at = await incident();
    await using on = at.on;
    for (let one = 1; one <= 300; one += 1) on.emulator.fault({ kind: "wrong-date", seconds: one * day });
    expect(await at.next()).toEqual(stillApplied);
    expect(on.writes()).toEqual([]);
    expect(at.warnings).toEqual([
      expect.stringMatching(
        /^it is not known what time it is: the platform shows 2030-.*Z, this machine has 2030-01-01T00:00:00Z/,
      ),
    ]);
  });

  test("that both clocks show as over stays as it is too, as long as the responses disagree", async () => {
    const at = await incident();
    await using on = at.on;
    at.clock.moveTo(Date.parse("2030-01-01T03:00:00Z"));
    for (let one = 1; one <= 300; one += 1) on.emulator.fault({ kind: "wrong-date", seconds: one * day });
    expect(await at.next()).toEqual(stillApplied);
    expect(on.writes()).toEqual([]);
  });

  test("ends by the platform's clock on a machine whose clock is a day behind or ahead", async () => {
    const [behind, ahead] = [await incident(), await incident()];
    await using first = behind.on;
    await using second = ahead.on;
    behind.clock.moveTo(Date.parse("2030-01-01T03:00:00Z"));
    const wrong = (clock: ManualClock, seconds: number) => ({
      ...machineClockOf(clock),
      now: () => clock.now() + seconds * 1000,
    });
    const [ended, lasting] = await Promise.all([
      behind.next(wrong(behind.clock, -day)),
      ahead.next(wrong(ahead.clock, day)),
    ]);
    expect(ended).toMatchObject({ overridden: [undefined, undefined, undefined] });
    expect(lasting).toEqual(stillApplied);
    expect([await behind.running(), await ahead.running()]).toEqual([["acme", "bluebird", "cedar"], []]);
    expect([...behind.warnings, ...ahead.warnings].filter((one) => one.includes("what time"))).toEqual([]);
    expect([first, second]).toHaveLength(2);
  });
});

describe("a rollout", () => {
  const gate = { soakSeconds: 3600 };
  const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
  let on: RolloutStage;
  let soaking: Awaited<ReturnType<typeof up>>["state"];

  beforeAll(() =>
    endAfterTests(async (open) => {
      on = open.use(await rolloutStage({ tenants: 2 }));
      ({ state: soaking } = await up(on, inputsOf(on, { waves, gate })));
    }),
  );

  /** A stage whose operations are new processes, with what they have told. */
  const inNewProcess = (): RolloutStage => {
    const clock: MachineClock = { now: () => Date.parse(soaking.clock), elapsed: () => performance.now() };
    const client = createClient({ baseUrl: on.emulator.url, apiKey: on.emulator.apiKey, machineClock: clock });
    const warn = (message: string) => on.warnings.push(message);
    return { ...on, operation: () => ({ ...on.operation(), context: createOperationContext({ client, warn }) }) };
  };

  test("soaks on if one response shows a time after the soak", async () => {
    expect(soaking.status).toMatch(/soaking until/);
    on.emulator.fault({ kind: "wrong-date", seconds: day });
    const { state } = await up(inNewProcess(), inputsOf(on, { waves, gate }), soaking);
    expect(state).toBe(soaking);
    expect(await on.moved()).toEqual(["t1"]);
  });

  test("begins no wave as long as the responses disagree, and its status says so", async () => {
    for (let one = 1; one <= 40; one += 1) on.emulator.fault({ kind: "wrong-date", seconds: one * day });
    const inputs = inputsOf(on, { waves, gate, approvals: {} });
    const { state } = await up(inNewProcess(), inputs, soaking);
    on.emulator.clearFaults();
    expect(state).toMatchObject({ phase: "progressing", clock: soaking.clock, startedWaves: soaking.startedWaves });
    expect(state.status).toContain("goes on once it is known what time it is");
    expect(on.warnings.filter((one) => one.startsWith("it is not known what time it is"))).toHaveLength(1);
  });

  test("sets back what an earlier up has stored of a wrong time, and soaks once more", async () => {
    const ahead = (time = "") => new Date(Date.parse(time) + day * 1000).toISOString();
    const [wave] = soaking.startedWaves;
    if (wave === undefined) throw new Error("no wave has started");
    const wrong = {
      ...soaking,
      clock: ahead(soaking.clock),
      startedWaves: [{ ...wave, provenAt: ahead(wave.provenAt) }],
    };
    const { state } = await up(on, inputsOf(on, { waves, gate }), wrong);
    expect(Date.parse(state.clock) - Date.parse(soaking.clock)).toBeLessThan(3600 * 1000);
    expect(Date.parse(state.startedWaves[0]?.provenAt ?? "")).toBeLessThanOrEqual(Date.parse(state.clock));
    await on.emulator.advance({ seconds: 3700 });
    const { state: after } = await up(on, inputsOf(on, { waves, gate }), state);
    expect(after.startedWaves[0]?.outcome).toBe("passed");
  });
});
