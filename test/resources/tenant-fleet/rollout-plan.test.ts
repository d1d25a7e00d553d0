import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { idIn, keptOf, operation } from "./fleet-stage.ts";
import { idsOf, keysOf, move, planIn, rolling, rollingStage, runs, stored, underWay, up } from "./rolling-fleet.ts";

const three = ["acme", "beta", "cedar"];

/** The order that the definition of the ranking gives. */
function byRank(fleet: string, keys: readonly string[], release: number, attempt: number): string[] {
  const rank = (key: string) =>
    createHash("sha256")
      .update(JSON.stringify([fleet, key, release, attempt]))
      .digest("hex");
  return [...keys].sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

describe("a fleet that begins a rollout", () => {
  test("writes nothing, counts no change, and stores who runs what, if it managed the releases before", async () => {
    await using on = await rollingStage();
    const release = { tag: "v1" };
    const before = await up(on, rolling({ acme: { release }, beta: { release }, cedar: { release } }));
    on.emulator.clearRequests();
    on.notes.length = 0;
    const inputs = rolling(three, "v2", { limits: { change: 0 } });
    const after = await up(on, inputs, before);
    expect(after.diff).toEqual({ isChanged: true });
    expect(on.notes).toEqual(['fleet "billing": the release of its rollout is v2, for 3 tenants']);
    expect(on.warnings).toEqual([]);
    expect(on.writes()).toEqual([]);
    expect(await runs(on)).toEqual({ acme: 501, beta: 501, cedar: 501 });
    expect(after.state.tenants.acme).toEqual({ tenantId: idIn(after.state, "acme") });
    expect(planIn(after)).toEqual({
      number: 1,
      release: 502,
      label: "v2",
      attempt: 1,
      from: "501",
      members: byRank("billing", three, 502, 1)
        .map((key) => `${key}=${idIn(after.state, key)}`)
        .join(" "),
      newcomers: "",
      before: { most: "501", others: {} },
      joined: "",
      created: "",
      earlier: [],
    });
    expect(await operation(on).diff(after.id, after.state, inputs)).toEqual({ isChanged: false });
    expect(await operation(on).read(after.id, after.state)).toEqual({ inputs, state: after.state });
  });

  test("moves a pinned tenant at once, and neither it nor an excluded one is in the plan", async () => {
    await using on = await rollingStage();
    const keys = [...three, "dune"];
    const before = await up(on, rolling(keys));
    on.notes.length = 0;
    const tenants = { acme: {}, beta: { release: { tag: "v3" } }, cedar: {}, dune: {} };
    const after = await up(on, rolling(tenants, { release: { id: 502 }, exclude: ["cedar"] }), before);
    expect(await runs(on)).toEqual({ acme: 501, beta: 503, cedar: 501, dune: 501 });
    expect(keysOf(planIn(after).members).sort()).toEqual(["acme", "dune"]);
    expect(planIn(after)).toMatchObject({ label: "v2", newcomers: "" });
    expect(on.notes).toEqual([
      'fleet "billing": the release of its rollout is v2, for 2 tenants; 1 pinned, 1 excluded',
      'fleet "billing": changes 1 tenant; 3 unchanged',
      'fleet "billing": beta: release (absent) -> {"tag":"v3"}',
    ]);
  });

  test("stores a tenant's channel and other releases as what they ran before", async () => {
    await using on = await rollingStage();
    const before = await up(on, rolling([...three, "dune", "elm"]));
    await move(on, before, ["beta"], "Latest");
    await move(on, before, ["cedar"], 503);
    const after = await up(on, rolling([...three, "dune", "elm"], "v2"), before);
    expect(planIn(after).before).toEqual({
      most: "501",
      others: { Latest: String(idIn(after.state, "beta")), "503": String(idIn(after.state, "cedar")) },
    });
    expect(on.warnings).toEqual([expect.stringMatching(/follow the channel Latest.*no wave can hold them: beta$/)]);
  });

  test("ranks by fleet, key, release and attempt, whatever the order of the program", async () => {
    await using on = await rollingStage();
    const keys = Array.from({ length: 40 }, (_, index) => `t-${index}`);
    const first = await up(on, rolling(keys, "v2"));
    expect(keysOf(planIn(first).members)).toEqual(byRank("billing", keys, 502, 1));
    const second = await up(on, rolling(keys.toReversed(), { release: { tag: "v3" }, attempt: 7 }), first);
    expect(keysOf(planIn(second).members)).toEqual(byRank("billing", keys, 503, 7));
  });
});

describe("while a rollout is declared", () => {
  test("a member's release is not drift, and an update of another setting does not write it", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    await move(on, before, ["acme"], 503);
    const read = await operation(on).read(before.id, before.state);
    expect(read).toEqual({ inputs: rolling(three, "v2"), state: before.state });
    const scheduled = rolling({ acme: { schedule: "0 * * * *" }, beta: {}, cedar: {} }, "v2");
    const after = await up(on, scheduled, before);
    expect(on.writes().map(({ body }) => body)).toEqual([{ user_schedule: "0 * * * *" }]);
    expect(await runs(on)).toEqual({ acme: 503, beta: 501, cedar: 501 });
    expect(planIn(after)).toEqual(planIn(before));
  });

  test("those who leave keep their place without a key, and those who come go to the end", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, ["acme", "beta", "cedar", "dune", "elm"]);
    const plan = planIn(before);
    await move(on, before, ["cedar"], 503);
    const tenants = {
      "acme-2": { aliases: ["acme"] },
      beta: { release: { tag: "v1" } },
      dune: {},
      elm: {},
      fig: {},
    };
    const changed = rolling(tenants, { release: { tag: "v2" }, exclude: ["dune"] });
    const after = await up(on, changed, before);
    const keyNow = new Map([
      [idIn(before.state, "acme"), "acme-2"],
      [idIn(before.state, "elm"), "elm"],
    ]);
    expect(idsOf(planIn(after).members)).toEqual(idsOf(plan.members));
    expect(keysOf(planIn(after).members)).toEqual(idsOf(plan.members).map((id) => keyNow.get(id) ?? ""));
    expect(planIn(after)).toEqual({
      ...plan,
      members: planIn(after).members,
      newcomers: `fig=${idIn(after.state, "fig")}`,
    });
    // an unpinned tenant comes back as a newcomer, with what it runs by now
    await move(on, after, ["beta"], 503);
    const back = await up(on, rolling({ ...tenants, beta: {} }, { release: { tag: "v2" }, exclude: ["dune"] }), after);
    expect(planIn(back)).toEqual({
      ...planIn(after),
      newcomers: `fig=${idIn(after.state, "fig")} beta=${idIn(after.state, "beta")}`,
      before: { most: "501", others: { "503": String(idIn(after.state, "beta")) } },
    });
    expect(back.state.tenants.beta).not.toHaveProperty("release");
  });

  test("a key with spaces and signs survives", async () => {
    await using on = await rollingStage();
    const tenants = { "Größe & Co = 1": { name: "one" }, acme: {} };
    const first = await up(on, rolling(tenants, "v2"));
    const second = await up(on, rolling({ ...tenants, beta: {} }, "v2"), first);
    expect(planIn(second).members).toBe(planIn(first).members);
    expect(keysOf(planIn(second).members).map(decodeURIComponent).sort()).toEqual(["Größe & Co = 1", "acme"].sort());
  });

  test("a refresh that finds a tenant archived does not change the plan; the next up removes the tenant's key from it", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    const inputs = rolling(three, "v2");
    await on.changeByHand(idIn(before.state, "beta"), { archived: true });
    const read = await operation(on).read(before.id, before.state);
    expect(read?.state.tenants).not.toHaveProperty("beta");
    expect(read?.state.rolloutPlan).toEqual(planIn(before));
    const refreshed = { ...before, state: stored(read?.state ?? before.state) };
    const without = rolling(["acme", "cedar"], "v2");
    expect(await operation(on).diff(before.id, refreshed.state, without)).toEqual({
      isChanged: false,
      isUnfinished: true,
    });
    const gone = await up(on, without, refreshed);
    expect(keysOf(planIn(gone).members).sort()).toEqual(["", "acme", "cedar"]);
    expect(idsOf(planIn(gone).members)).toEqual(idsOf(planIn(before).members));

    const again = await up(on, inputs, refreshed);
    expect(keysOf(planIn(again).members).sort()).toEqual(["", "acme", "cedar"]);
    expect(planIn(again).newcomers).toBe(`beta=${idIn(again.state, "beta")}`);
    expect(idIn(again.state, "beta")).not.toBe(idIn(before.state, "beta"));
  });

  test("a fleet that fails in part stores its plan, and the next up adds who was missing", async () => {
    await using on = await rollingStage();
    on.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, match: { method: "POST" }, times: 1 });
    const inputs = rolling(three, "v2");
    const { id, state } = await keptOf(operation(on).create(inputs));
    const first = { id, inputs, state: stored(state) };
    const made = Object.keys(state.tenants);
    expect(made).toHaveLength(2);
    expect(keysOf(planIn(first).members).sort()).toEqual(made.sort());
    const second = await up(on, inputs, first);
    expect(planIn(second).members).toBe(planIn(first).members);
    expect(keysOf(planIn(second).newcomers)).toEqual(three.filter((key) => !made.includes(key)));
  });
});

describe("a new target", () => {
  test("makes a plan that hands on what each tenant ran before, and names the plans before it", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, ["acme", "beta"], 502);
    const second = await up(on, rolling([...three, "dune"], "v3"), first);
    expect(planIn(second)).toEqual({
      number: 2,
      release: 503,
      label: "v3",
      attempt: 1,
      from: "501",
      members: byRank("billing", [...three, "dune"], 503, 1)
        .map((key) => `${key}=${idIn(second.state, key)}`)
        .join(" "),
      newcomers: "",
      before: { most: "501", others: {} },
      joined: String(idIn(second.state, "dune")),
      created: "",
      earlier: [{ number: 1, release: 502, label: "v2", joined: "", created: "" }],
    });
    const third = await up(on, rolling([...three, "dune"], { release: { tag: "v3" }, attempt: 2 }), second);
    expect(planIn(third)).toMatchObject({
      number: 3,
      attempt: 2,
      joined: "",
      earlier: [
        { number: 2, release: 503, joined: String(idIn(second.state, "dune")) },
        { number: 1, release: 502, joined: "" },
      ],
    });
  });

  test("does not begin if the same release is declared in another form", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    const second = await up(on, rolling(three, { release: { id: 502 }, attempt: 1 }), first);
    expect(second.diff).toEqual({ isChanged: true });
    expect(planIn(second)).toEqual(planIn(first));
    expect(on.notes).toEqual([]);
  });

  test("takes newcomers of the plan before among its members, as joined", async () => {
    await using on = await rollingStage();
    const first = await up(on, rolling([...three, "dune"], "v2"), await underWay(on, three));
    const second = await up(on, rolling([...three, "dune"], "v3"), first);
    expect(keysOf(planIn(second).members)).toEqual(byRank("billing", [...three, "dune"], 503, 1));
    expect(planIn(second)).toMatchObject({ newcomers: "", joined: String(idIn(first.state, "dune")) });
  });

  test("keeps the last twenty plans", async () => {
    await using on = await rollingStage();
    let fleet = await up(on, rolling(["acme"], "v2"));
    for (let attempt = 2; attempt <= 23; attempt += 1) {
      fleet = await up(on, rolling(["acme"], { release: { tag: "v2" }, attempt }), fleet);
    }
    const numbers = planIn(fleet).earlier.map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
  });
});

describe("the release from before", () => {
  test.each([
    ["is the finished one", ["acme", "beta", "cedar"], 502, "502"],
    ["is the one before an unfinished one", ["acme", "beta"], 502, "501"],
    ["does not wait for a tenant that was changed by hand", ["acme", "beta"], 502, "502", ["cedar", 503]],
  ] as const)("%s", async (_, moved, to, from, byHand?: readonly [string, number]) => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, moved, to);
    if (byHand) await move(on, first, [byHand[0]], byHand[1]);
    const second = await up(on, rolling(three, { release: { tag: "v3" } }), first);
    expect(planIn(second).from).toBe(from);
  });

  test("stays on the way back to it", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, three, 502);
    const back = await up(on, rolling(three, "v1"), first);
    expect(planIn(back)).toMatchObject({ number: 2, release: 501, from: "501" });
  });

  test("stays while the tenants of an unfinished rollout are where it left them", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, ["acme"], 502);
    const second = await up(on, rolling(three, "v3"), first);
    await move(on, first, ["beta", "cedar"], 503);
    const third = await up(on, rolling(three, { release: { tag: "v3" }, attempt: 2 }), second);
    expect(planIn(third).from).toBe("501");
  });
});
