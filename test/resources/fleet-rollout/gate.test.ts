import { describe, expect, test } from "vitest";
import type { FleetRolloutInputs } from "../../../src/resources/fleet-rollout/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { eventually } from "../../eventually.ts";
import { ownRunWords } from "../../own-run-words.ts";
import {
  failOnNewer,
  inputsOf,
  newer,
  older,
  type RolloutStage,
  rolloutStage,
  type UpResult,
  up,
  ups,
} from "./rollout-stage.ts";

const connected = { auth: { connected: true } };
const everybody = { waves: [{ percent: 100 }], maxUnavailable: "100%" } satisfies Partial<FleetRolloutInputs>;

describe.concurrent("evidence", () => {
  test("a sync is asked for only when no older run is under way", async () => {
    await using on = await rolloutStage({ tenants: 1, tenant: { runs: { takes_seconds: 20 } } });
    await call(on.emulator, "POST", `/v2/tenants/${on.ids.t1}/sync?mode=normal`);
    await eventually(async () => expect(Object.keys(await currentRun(on, "t1")).length).toBeGreaterThan(0));
    on.emulator.clearRequests();
    await up(on, inputsOf(on, { ...everybody, waitSeconds: 10 }));
    const asked = on.emulator.requests().findIndex(({ method, path }) => method === "POST" && path.endsWith("/sync"));
    const reads = on.emulator
      .requests()
      .slice(0, asked)
      .filter(({ path }) => path === "/v2/tenants");
    expect(asked).toBeGreaterThan(0);
    expect(reads.length).toBeGreaterThan(3); // the first of them show the older run
  });

  test("a sync with an unknown status does not prove the tenant, which fails after the deadline", async () => {
    await using on = await rolloutStage({
      tenants: 1,
      options: { variants: { statusWords: "mixed" } },
      tenant: { runs: { takes_seconds: 590 } },
    });
    const inputs = inputsOf(on, { ...everybody, waitSeconds: 0.2, gate: { deadlineSeconds: 300 } });
    const first = await up(on, inputs);
    expect(first.message).toBeUndefined();
    expect(first.state).toMatchObject({
      phase: "progressing",
      startedWaves: [{ proven: "", open: String(on.ids.t1) }],
    });
    await on.emulator.advance({ seconds: 301 });
    const second = await up(on, inputs, first.state);
    expect(second.message).toContain('its sync had the status "hydrating", which is in no list of statuses,');
    expect(on.synced()).toEqual(["t1"]);
  });

  test("the words of the stack's config are known, whose failures stop the rollout", async () => {
    await using on = await rolloutStage({ tenants: 2, options: { variants: { statusWords: "processed" } } });
    const inputs = inputsOf(on, everybody);
    const options = { runWords: ownRunWords };
    expect((await up(on, inputs, undefined, options)).state).toMatchObject({ phase: "done", history: [{ proven: 2 }] });

    await using other = await rolloutStage({ tenants: 1, options: { variants: { statusWords: "processed" } } });
    await failOnNewer(other, "t1");
    const { message } = await up(other, inputsOf(other, everybody), undefined, options);
    expect(message).toContain('its sync ended with "Broken"');
  });

  test("a trigger is stored, and its sync is not asked for again", async () => {
    await using on = await rolloutStage({ tenants: 2, tenant: { runs: { takes_seconds: 60 } } });
    const inputs = inputsOf(on, { ...everybody, waitSeconds: 0 });
    const { state } = await up(on, inputs);
    await on.emulator.advance({ seconds: 120 });
    expect((await up(on, inputs, state)).state).toMatchObject({ phase: "done", history: [{ proven: 2 }] });
    expect(on.synced().toSorted()).toEqual(["t1", "t2"]);
  });

  test("if a kill has lost a tenant's proof, the tenant is synced before another one moves", async () => {
    await using on = await rolloutStage({ tenants: 10 });
    const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: 2 });
    await on.changeByHand(on.ids.t7 ?? 0, { integration_release_id: newer }); // as a killed step has left it
    await up(on, inputs);
    const log = on.emulator.requests();
    const firstMove = log.findIndex(({ method }) => method === "PATCH");
    const firstSync = log.findIndex(({ method, path }) => method === "POST" && path.includes(`/${on.ids.t7}/`));
    expect(firstSync).toBeGreaterThan(0);
    expect(firstSync).toBeLessThan(firstMove);
  });
});

describe.concurrent("tenants that cannot sync", () => {
  test.each([
    ["paused", { paused: true }],
    ["not connected", { status: { auth: { connected: false, connectors: [] } } }],
  ])("one that is %s moves without a sync, and proves nothing", async (_, tenant) => {
    await using on = await rolloutStage({ tenants: 1, tenant });
    const { state } = await up(on, inputsOf(on, { ...everybody, waitSeconds: 0 }));
    expect(await on.moved()).toEqual(["t1"]);
    expect(on.synced()).toEqual([]);
    expect(state).toMatchObject({ phase: "waiting", startedWaves: [{ skipped: String(on.ids.t1), proven: "" }] });
    expect(state.status).toContain("only 0 of its tenants are proven, and gate.minTenants is 1");
  });

  test("with whenPaused: leave, it stays where it is and is named", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    await on.changeByHand(on.ids.t1 ?? 0, { paused: true });
    const { state } = await up(on, inputsOf(on, { ...everybody, gate: { whenPaused: "leave" } }));
    expect(await on.moved()).toEqual(["t2"]);
    expect(state.phase).toBe("done");
    expect(on.warnings.join()).toContain(`t1 (${on.ids.t1}) is left: it is paused`);
  });

  test("a wave without enough proofs goes on once one of its tenants is resumed", async () => {
    await using on = await rolloutStage({ tenants: 2, tenant: { paused: true } });
    const inputs = inputsOf(on, everybody);
    const { state } = await up(on, { ...inputs, waitSeconds: 0 });
    expect(state.phase).toBe("waiting");
    await on.changeByHand(on.ids.t2 ?? 0, { paused: false });
    expect((await up(on, inputs, state)).state).toMatchObject({ phase: "done", history: [{ proven: 1, skipped: 1 }] });
    expect(on.synced()).toEqual(["t2"]);
  });
});

describe.concurrent("who is left", () => {
  test("one that runs neither what it ran before nor the release", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: null, integration_release_channel: "Latest" });
    const { state } = await up(on, inputsOf(on, { ...everybody, onFailure: "pause" }));
    expect(on.written()).toEqual(["t2"]);
    expect(on.warnings.join()).toContain("t1");
    expect(state.startedWaves).toMatchObject([{ left: String(on.ids.t1) }]);
  });

  test("one that was changed by hand after it had moved", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const inputs = inputsOf(on, { ...everybody, gate: { soakSeconds: 1000 }, waitSeconds: 10 });
    const { state } = await up(on, inputs);
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: older });
    on.emulator.clearRequests();
    await on.emulator.advance({ seconds: 1001 });
    const second = await up(on, inputs, state);
    expect(on.written()).toEqual([]);
    expect(second.state.startedWaves).toMatchObject([{ left: String(on.ids.t1), proven: String(on.ids.t2) }]);
    expect(second.state.reasons[String(on.ids.t1)]).toBe("it was changed by hand: it runs 901");
  });
});

describe.concurrent("a tenant that leaves the rollout after it has moved", () => {
  const canary = { waves: [{ name: "canary", tenants: ["t1"] }, { percent: 100 }], waitSeconds: 0 };
  const without = (on: RolloutStage) =>
    inputsOf(on, { ...canary, waves: [{ percent: 0, name: "canary" }, { percent: 100 }], plan: left(on, "t1") });

  test.each([
    ["is excluded", async () => {}],
    ["is archived", (on: RolloutStage) => on.changeByHand(on.ids.t1 ?? 0, { archived: true })],
  ])("without a proof, as it %s, gives none: the others wait for a person", async (_, leave) => {
    await using on = await rolloutStage({ tenants: 3, tenant: { runs: { takes_seconds: 600 } } });
    const { state } = await up(on, inputsOf(on, canary));
    expect(await on.moved()).toEqual(["t1"]);
    await leave(on);
    const after = await ups(on, without(on), 2, state);
    expect(after.phase).toBe("waiting");
    expect(after.status).toContain("it has left the rollout before it was proven");
    expect(await on.moved()).not.toContain("t2");
  });

  test("while its sync is requested gives no proof either", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "POST", path: "/sync$" } });
    const running = up(on, inputsOf(on, canary));
    await eventually(() => expect(on.synced()).toEqual(["t1"]));
    await on.changeByHand(on.ids.t1 ?? 0, { archived: true });
    on.emulator.clearFaults();
    const after = await ups(on, without(on), 2, (await running).state);
    expect(after.phase).toBe("waiting");
    expect(after.status).toContain("it has left the rollout before it was proven");
    expect(await on.moved()).not.toContain("t2");
  });

  test("with its proof, has given it", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const soaking = { gate: { soakSeconds: 3600 }, waitSeconds: 10 };
    const { state } = await up(on, inputsOf(on, { ...canary, ...soaking }));
    await on.emulator.advance({ seconds: 3601 });
    const after = await ups(on, { ...without(on), ...soaking }, 2, state);
    expect(after.startedWaves).toMatchObject([{ proven: String(on.ids.t1), outcome: "passed" }, {}]);
    expect(await on.moved()).toContain("t2");
  });
});

describe.concurrent("a sync that the platform refuses", () => {
  test.each([
    ["paused", { paused: true }, "skipped"],
    ["archived", { archived: true }, "left"],
  ] as const)(
    "because somebody has %s the tenant since it was read, says nothing of the release",
    async (_, change, mark) => {
      await using on = await rolloutStage({ tenants: 1, options: { variants: { pausedSync: "refuse" } } });
      on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "POST", path: "/sync$" } });
      const running = up(on, inputsOf(on, everybody));
      await eventually(() => expect(on.synced()).toEqual(["t1"]));
      await on.changeByHand(on.ids.t1 ?? 0, change);
      on.emulator.clearFaults();
      const { state, message } = await running;
      expect(message).toBeUndefined();
      expect(state.startedWaves).toMatchObject([{ [mark]: String(on.ids.t1), failed: "" }]);
    },
  );
});

describe.concurrent("a deadline", () => {
  const busy = { waitSeconds: 0.2, gate: { deadlineSeconds: 3600 } };

  test.each([
    ["paused", { paused: true }],
    ["frozen", { freeze: [{ from: "2026-06-01", to: "2026-06-03" }] }],
  ])("does not pass while the rollout is %s", async (_, held) => {
    await using on = await rolloutStage({ tenants: 1, tenant: { runs: { takes_seconds: 400_000 } } });
    await call(on.emulator, "POST", `/v2/tenants/${on.ids.t1}/sync?mode=normal`);
    await eventually(async () => expect(Object.keys(await currentRun(on, "t1")).length).toBeGreaterThan(0));
    const { state } = await up(on, inputsOf(on, { ...everybody, ...busy }));
    const { state: stopped } = await up(on, inputsOf(on, { ...everybody, ...busy, ...held }), state);
    await on.emulator.advance({ seconds: 4 * 86_400 });
    const { message } = await up(on, inputsOf(on, { ...everybody, ...busy }), stopped);
    expect(message).toBeUndefined();
  });
});

test.concurrent("a tenant whose sync cannot be requested has failed after the deadline", async () => {
  await using on = await rolloutStage({ tenants: 1 });
  const inputs = inputsOf(on, { ...everybody, waitSeconds: 0.2, gate: { deadlineSeconds: 3600 } });
  on.emulator.fault({ kind: "status", status: 500, match: { method: "POST", path: "/sync$" }, times: 999 });
  const { state, message } = await up(on, inputs);
  expect(message).toContain("could not go on; the next up does");
  expect(state.phase).toBe("progressing");
  await on.emulator.advance({ seconds: 3601 });
  const late = await up(on, inputs, state);
  expect(late.message).toContain(`t1 (${on.ids.t1}): its sync could not be requested until its deadline`);
  expect(late.state.phase).toBe("failed");
});

test.concurrent("a sync whose status cannot be read has failed only if it stays so for as long as the deadline", async () => {
  await using on = await rolloutStage({ tenants: 2, tenant: { runs: { takes_seconds: 590 } } });
  const inputs = inputsOf(on, { ...everybody, maxUnavailable: 2, waitSeconds: 0.2, gate: { deadlineSeconds: 3600 } });
  const first = await up(on, inputs);
  await on.emulator.advance({ seconds: 3601 });
  const match = (key: string) => ({ path: `/${readTrigger(first.state, on.ids[key])}/status$` });
  for (const key of ["t1", "t2"]) on.emulator.fault({ kind: "status", status: 500, match: match(key), times: 99 });
  const unread = await up(on, inputs, first.state);
  expect(unread.message).toContain("could not go on; the next up does");
  expect(unread.state).toMatchObject({ phase: "progressing", startedWaves: [{ failed: "" }] });
  on.emulator.clearFaults();
  on.emulator.fault({ kind: "status", status: 500, match: match("t2"), times: 99 });
  await on.emulator.advance({ seconds: 3601 });
  const late = await up(on, inputs, unread.state);
  expect(late.state.startedWaves).toMatchObject([{ proven: String(on.ids.t1), failed: String(on.ids.t2) }]);
  expect(late.message).toMatch(/t2 \(\d+\): the status of its sync could not be read \(GET .*\) until its deadline/);
});

test.concurrent("an overridden tenant whose sync's status cannot be read waits for the end of its override", async () => {
  await using on = await rolloutStage({ tenants: 1, tenant: { runs: { takes_seconds: 590 } } });
  const inputs = inputsOf(on, { ...everybody, waitSeconds: 0.2, gate: { deadlineSeconds: 3600 } });
  const first = await up(on, inputs);
  on.emulator.fault({ kind: "status", status: 500, match: { path: "/status$" }, times: 99 });
  const overridden = { ...inputs, plan: { ...on.plan, overridden: String(on.ids.t1) } };
  const under = await up(on, overridden, first.state);
  expect(under.message).toBeUndefined();
  await on.emulator.advance({ seconds: 3601 });
  expect((await up(on, overridden, under.state)).state).toMatchObject({ startedWaves: [{ failed: "" }] });
});

test.concurrent("the deadline of a sync that cannot be requested begins with the first failed request", async () => {
  await using on = await rolloutStage({ tenants: 1, tenant: { runs: { takes_seconds: 1800 } } });
  await call(on.emulator, "POST", `/v2/tenants/${on.ids.t1}/sync?mode=normal`); // an older run
  const inputs = inputsOf(on, { ...everybody, waitSeconds: 0.2, gate: { deadlineSeconds: 3600 } });
  await eventually(async () => expect(Object.keys(await currentRun(on, "t1")).length).toBeGreaterThan(0));
  on.emulator.clearRequests();
  const { state } = await up(on, inputs);
  expect(on.synced()).toEqual([]);
  await on.emulator.advance({ seconds: 5000 });
  on.emulator.fault({ kind: "status", status: 500, match: { method: "POST", path: "/sync$" }, times: 999 });
  const broken = await up(on, inputs, state);
  expect(broken.message).toContain("could not go on; the next up does");
  on.emulator.clearFaults();
  // a refused key says nothing about the tenant, however late it is
  await on.emulator.advance({ seconds: 5000 });
  on.emulator.fault({ kind: "status", status: 403, match: { method: "POST", path: "/sync$" }, times: 999 });
  const refused = await up(on, inputs, broken.state);
  expect(refused.message).toContain("Check the API key");
  expect(refused.state.startedWaves).toMatchObject([{ open: String(on.ids.t1), failed: "" }]);
  on.emulator.clearFaults();
  expect((await up(on, { ...inputs, waitSeconds: 5 }, refused.state)).message).toBeUndefined();
});

test.concurrent("a wave in which one failed and the sync of another was refused waits for a proof", async () => {
  const variants = { absentField: "status" } as const;
  await using on = await rolloutStage({ tenants: 3, options: { variants } });
  const { t1, t2, t3 } = on.ids;
  const waves = [{ tenants: ["t1"] }, { tenants: ["t2", "t3"] }];
  const inputs = inputsOf(on, { waves, maxFailures: 1, maxUnavailable: 1 });
  on.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: `/${t2}/sync$` }, times: 99 });
  await failOnNewer(on, "t3");
  const state = await ups(on, inputs, 4);
  expect(state.startedWaves).toMatchObject([{ proven: String(t1) }, { skipped: String(t2), failed: String(t3) }]);
  expect(state.phase).not.toBe("failed");
  expect(state.status).not.toContain("0 not proven yet");
});

test.concurrent("a tenant on the release is proven though one that failed takes the only place", async () => {
  await using on = await rolloutStage({ tenants: 3 });
  const { t1, t2 } = on.ids;
  await on.changeByHand(t2 ?? 0, { paused: true });
  await failOnNewer(on, "t3");
  const waves = [{ tenants: ["t1"] }, { tenants: ["t2", "t3"] }];
  const inputs = inputsOf(on, { waves, maxFailures: 1, maxUnavailable: 1 });
  const waiting = await ups(on, inputs, 3);
  expect(waiting).toMatchObject({ phase: "waiting", startedWaves: [{ proven: String(t1) }, { skipped: String(t2) }] });
  await on.changeByHand(t2 ?? 0, { paused: false });
  expect(await ups(on, inputs, 2, waiting)).toMatchObject({ phase: "done", history: [{ proven: 2, failed: 1 }] });
});

describe.concurrent("a tenant that one list lacks", () => {
  const canary = { waves: [{ name: "canary", tenants: ["t1"] }, { percent: 100 }] };
  /** Makes the next lists lack t1. */
  async function lackOnce(on: RolloutStage, times = 1) {
    const body = (await on.live()).filter(({ id }) => id !== on.ids.t1);
    on.emulator.clearFaults(); // the read that waits now goes on
    on.emulator.fault({ kind: "wrong-shape", body, match: { method: "GET", path: "^/v2/tenants$" }, times });
  }

  test("is still the canary, without whose proof nobody else moves", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t1");
    await lackOnce(on);
    const { state } = await up(on, inputsOf(on, canary));
    expect(state).toMatchObject({ phase: "failed", startedWaves: [{ name: "canary", failed: String(on.ids.t1) }] });
    expect(await on.moved()).toEqual(["t1"]);
  });

  test("is still the canary if only a later list shows it again, as the others lag", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t1");
    await lackOnce(on, 3);
    const { state } = await up(on, inputsOf(on, canary));
    expect(state).toMatchObject({ phase: "failed", startedWaves: [{ name: "canary", failed: String(on.ids.t1) }] });
  });

  test("does not hide that the wave has failed, even if no list shows it then", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t2");
    const inputs = inputsOf(on, { waves: [{ name: "canary", tenants: ["t2"] }, { percent: 100 }] });
    on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "GET", path: "/status$" } });
    const running = up(on, inputs);
    await eventually(() => expect(on.synced()).toEqual(["t2"]));
    await lackOnce(on, 99);
    const { state } = await running;
    expect(state).toMatchObject({ phase: "failed", startedWaves: [{ name: "canary", outcome: "failed" }] });
  });

  test("is looked for once if it is gone for good", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await on.changeByHand(on.ids.t1 ?? 0, { archived: true });
    on.emulator.clearRequests();
    await up(on, inputsOf(on, canary));
    const archived = on.emulator.requests().filter(({ query }) => String(Object(query).archived) === "true");
    expect(archived).toHaveLength(1);
  });

  test("stops the rollout if no list shows it, archived or not", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await lackOnce(on, 99);
    await expect(up(on, inputsOf(on, canary))).rejects.toThrow(
      /no list shows tenant \d+, neither as live nor as archived/,
    );
    expect(on.written()).toEqual([]);
  });
});

describe.concurrent("runs as platforms may show them", () => {
  test("an object of nulls is no run", async () => {
    await using on = await rolloutStage({ tenants: 1 });
    const status = { current_run: { id: null, status: null }, last_run: { id: null, times: { started_at: null } } };
    await on.changeByHand(on.ids.t1 ?? 0, { status: { ...connected, ...status } });
    const { state } = await up(on, inputsOf(on, everybody));
    expect(on.synced()).toEqual(["t1"]);
    expect(state.phase).toBe("done");
  });

  test("a failed run whose record changes afterwards is still an older one", async () => {
    await using on = await rolloutStage({ tenants: 1, tenant: { paused: true } });
    const failed = (log: string) => ({ status: { ...connected, last_run: { id: 7, status: "failed", log } } });
    await on.changeByHand(on.ids.t1 ?? 0, failed("https://example.test/1"));
    const { state } = await up(on, inputsOf(on, { ...everybody, waitSeconds: 0 }));
    await on.changeByHand(on.ids.t1 ?? 0, failed("https://example.test/2"));
    const { message, state: after } = await up(on, inputsOf(on, { ...everybody, waitSeconds: 0 }), state);
    expect(message).toBeUndefined();
    expect(after.startedWaves).toMatchObject([{ skipped: String(on.ids.t1), failed: "" }]);
  });
});

describe.concurrent("the soak", () => {
  test("that ends without enough proofs is shown as waiting for a person", async () => {
    await using on = await rolloutStage({ tenants: 1, tenant: { paused: true } });
    const inputs = inputsOf(on, { ...everybody, gate: { soakSeconds: 3600 }, waitSeconds: 10 });
    const { state } = await up(on, inputs);
    expect(state.phase).toBe("progressing");
    await on.emulator.advance({ seconds: 3601 });
    const { state: over } = await up(on, inputs, state);
    expect(over.phase).toBe("waiting");
    expect((await up(on, inputs, over)).state).toBe(over);
  });

  test("holds the wave until it is over, by the platform's clock", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const inputs = inputsOf(on, {
      waves: [{ percent: 50 }, { percent: 100 }],
      gate: { soakSeconds: 3600 },
      waitSeconds: 10,
    });
    const { state } = await up(on, inputs);
    expect(state.status).toMatch(/^wave 1 of 2 \(50%\), 1 of 2 on v1\.1\.0, soaking until \d\d:\d\d UTC$/);
    const requests = on.writes().length;
    expect((await up(on, inputs, state)).state).toBe(state);
    expect(on.writes().length).toBe(requests);
    await on.emulator.advance({ seconds: 3601 });
    const passed = await up(on, inputs, state);
    expect(passed.state.startedWaves).toMatchObject([{ outcome: "passed" }]);
    expect((await on.moved()).length).toBe(1);
  });

  test("a run that fails meanwhile fails the wave", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const inputs = inputsOf(on, { ...everybody, gate: { soakSeconds: 3600 }, waitSeconds: 10 });
    const { state } = await up(on, inputs);
    await failOnNewer(on, "t2");
    await call(on.emulator, "POST", `/v2/tenants/${on.ids.t2}/sync?mode=normal`);
    await on.emulator.advance({ seconds: 10 });
    const { message } = await up(on, inputs, state);
    expect(message).toContain(`t2 (${on.ids.t2}): a run of it failed after it moved`);
  });
});

test.concurrent("no more than maxUnavailable tenants are moved and not proven, across ups and after a kill has lost the state", async () => {
  await using on = await rolloutStage({ tenants: 8, tenant: { runs: { takes_seconds: 590 } } });
  const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: 2, waitSeconds: 0.3 });
  const { state } = await up(on, inputs);
  await up(on, inputs, state);
  await up(on, inputs); // a kill has lost the state
  expect((await on.moved()).length).toBe(2);
});

test.concurrent("failures within maxFailures let a later wave go on, and the first wave tolerates none", async () => {
  await using on = await rolloutStage({ tenants: 10 });
  await failOnNewer(on, "t5");
  const inputs = inputsOf(on, {
    waves: [{ tenants: ["t1"] }, { percent: 100 }],
    maxFailures: "20%",
    maxUnavailable: 3,
  });
  const state = await ups(on, inputs, 2);
  expect(state).toMatchObject({ phase: "done", history: [{ proven: 9, failed: 1 }] });

  await using other = await rolloutStage({ tenants: 10 });
  await failOnNewer(other, "t5");
  const { message } = await up(
    other,
    inputsOf(other, { waves: [{ percent: 100 }], maxFailures: "20%", maxUnavailable: 3 }),
  );
  expect(message).toContain("1 tenant failed, and none may fail");
});

async function currentRun(on: RolloutStage, key: string): Promise<object> {
  const found = (await on.live()).find(({ id }) => id === on.ids[key]);
  return Object(Object(Object(found).status).current_run);
}

/** The plan once a tenant has left the rollout. */
function left({ plan, ids }: RolloutStage, key: string): RolloutStage["plan"] {
  return { ...plan, members: plan.members.replace(`${key}=${ids[key]}`, `=${ids[key]}`) };
}

/** The trigger of a tenant's sync that the rollout waits for. */
function readTrigger({ pendingSyncs }: UpResult["state"], id: number | undefined) {
  return pendingSyncs[String(id)]?.trigger;
}
