import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { Stage } from "../stage.ts";
import { idIn, operation } from "./fleet-stage.ts";
import { keysOf, move, planIn, rolling, rollingStage, runs, underWay, up } from "./rolling-fleet.ts";

const three = ["acme", "beta", "cedar"];

describe("the check of a fleet's rollout", () => {
  test("reports excluded tenants that are unknown, doubled or pinned", async () => {
    await using on = await rollingStage();
    const tenants = { acme: { release: { tag: "v1" } }, beta: {} };
    const exclude = ["bta", "beta", "beta", "acme"];
    expect(await operation(on).check(rolling(tenants, { release: { tag: "v2" }, exclude }), undefined)).toMatchObject([
      { property: "rollout.exclude[0]", reason: expect.stringContaining("beta") },
      { property: "rollout.exclude[2]" },
      { property: "rollout.exclude[3]" },
    ]);
  });

  test.each([
    ["tag", { tag: "v22" }, 'no release with tag "v22"; did you mean "v2"?'],
    ["id", { id: 5 }, "no release with id 5"],
  ])(
    "reports a target whose %s does not exist, even if a preview does not know the tenants",
    async (_, release, reason) => {
      await using on = await rollingStage();
      const failure = { property: "rollout.release", reason: expect.stringContaining(reason) };
      expect(await operation(on).check(rolling(three, { release }), undefined)).toEqual([failure]);
      const unknown = { ...rolling([], { release }), tenants: unknownValue };
      expect(await operation(on).check(unknown, undefined)).toEqual([failure]);
      const unknownName = { ...rolling(three, { release }), name: unknownValue };
      expect(await operation(on).check(unknownName, undefined)).toEqual([failure]);
    },
  );

  test("reports an unknown integration once", async () => {
    await using on = await rollingStage();
    const inputs = { ...rolling(three, "v2"), integration: "cmr" };
    expect(await operation(on).check(inputs, undefined)).toMatchObject([{ property: "integration" }]);
  });

  test.each([
    ["a channel", { release: { channel: "Latest" } }],
    ["two targets", { release: { id: 502, tag: "v2" } }],
    ["none", {}],
    ["another key", { release: { tag: "v2" }, waves: [] }],
    ["an attempt below 1", { release: { tag: "v2" }, attempt: 0 }],
  ])("refuses %s", async (_, rollout) => {
    await using on = await rollingStage();
    const failures = await operation(on).check({ ...rolling(three), rollout }, undefined);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.property).toMatch(/^rollout/);
  });

  test("accepts what a preview does not know yet", async () => {
    await using on = await rollingStage();
    for (const rollout of [
      unknownValue,
      { release: unknownValue },
      { release: { id: unknownValue } },
      { release: { tag: "v2" }, exclude: unknownValue },
      { release: { tag: "v2" }, exclude: [unknownValue] },
    ]) {
      expect(await operation(on).check({ ...rolling(three), rollout }, undefined)).toEqual([]);
    }
  });

  test("checks the configs of tenants against the release on which they are created, or which they run", async () => {
    await using on = await rollingStage();
    const withConfigs = (configs: object) => ({ acme: {}, beta: {}, cedar: {}, dune: { configs } });
    const check = (configs: object, old?: object, to = "v2") =>
      operation(on).check({ ...rolling([], to), tenants: withConfigs(configs) }, old);
    const [ofOlder, ofNewer] = [{ region: "eu" }, { currency: "EUR" }];
    const [noRegion, noCurrency] = ["region", "currency"].map((key) => [
      expect.objectContaining({ property: `tenants.dune.configs.${key}` }),
    ]);
    // a new fleet is created on the target
    expect(await check(ofNewer)).toEqual([]);
    expect(await check(ofOlder)).toEqual(noRegion);

    // newcomers are created on the release from before until all are on the target
    const before = await underWay(on, three);
    expect(await check(ofOlder, before.inputs)).toEqual([]);
    expect(await check(ofNewer, before.inputs)).toEqual(noCurrency);
    await move(on, before, three, 502);
    expect(await check(ofNewer, before.inputs)).toEqual([]);
    expect(await check(ofOlder, before.inputs)).toEqual(noRegion);

    // an existing tenant runs what it runs
    const id = await on.add({ integration: 1, name: "dune", integration_release_id: 501 });
    const taken = { ...rolling([], "v2"), tenants: { ...withConfigs(ofNewer), dune: { configs: ofNewer, adopt: id } } };
    expect(await operation(on).check(taken, before.inputs)).toEqual(noCurrency);
  });

  test("checks the configs of a tenant that the last up failed to create like those of a new one", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    await move(on, before, three, 502);
    const inputs = rolling({ ...before.inputs.tenants, dune: { configs: { currency: "EUR" } } }, "v2");
    on.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: "/v2/tenants$" }, times: 2 });
    await expect(up(on, inputs, before)).rejects.toThrow("dune");
    on.emulator.clearFaults();
    const failed = { ...before, inputs }; // the engine stores the inputs of an up that has failed in part
    expect(await operation(on).check(inputs, failed.inputs)).toEqual([]);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502 });
    await up(on, inputs, failed);
    expect(await runs(on)).toEqual({ acme: 502, beta: 502, cedar: 502, dune: 502 });
  });

  test("accepts configs for the release on which tenants are created while another stays behind", async () => {
    await using on = await rollingStage();
    const first = await underWay(on, three);
    await move(on, first, ["acme", "beta"], 502); // cedar stays behind
    const second = await up(on, rolling(three, "v3"), first);
    expect(planIn(second).from).toBe("501");
    const inputs = rolling({ acme: {}, beta: {}, cedar: {}, dune: { configs: { region: "eu" } } }, "v3");
    await up(on, inputs, second);
    expect(await runs(on)).toMatchObject({ dune: 501 });
  });
});

describe("what a preview knows", () => {
  const announced = async (on: Stage, work: (one: ReturnType<Stage["operation"]>) => Promise<unknown>) => {
    const one = on.operation();
    await work(one);
    return one.context.previewedPlans;
  };

  test("is announced by the check of a new fleet", async () => {
    await using on = await rollingStage();
    const tenants = { acme: {}, beta: { release: { tag: "v1" } }, cedar: {}, dune: {} };
    const inputs = rolling(tenants, { release: { tag: "v2" }, attempt: 3, exclude: ["cedar"] });
    const plans = await announced(on, ({ fleet }) => fleet.check(inputs, undefined));
    expect([...plans.keys()]).toEqual(["billing"]);
    const plan = plans.get("billing");
    expect(plan).toMatchObject({ release: 502, label: "v2", attempt: 3, isNew: true, newcomers: [] });
    expect(plan).toMatchObject({ keys: Object.keys(tenants), pinned: ["beta"], excluded: ["cedar"], from: undefined });
    const made = await up(on, inputs);
    expect(plan?.members.map(({ key }) => key)).toEqual(keysOf(planIn(made).members));
    expect(on.notes).toContain(
      'fleet "billing": the release of its rollout is v2 (attempt 3), for 2 tenants; 1 pinned, 1 excluded',
    );
  });

  test("is announced by the diff of an existing one: a new plan is what the update stores", async () => {
    await using on = await rollingStage();
    const before = await underWay(on, three);
    const inputs = rolling([...three, "dune"], "v3");
    const plans = await announced(on, ({ fleet }) => fleet.diff(before.id, before.state, inputs));
    const plan = plans.get("billing");
    expect(plan).toMatchObject({ release: 503, label: "v3", isNew: true, from: "501", newcomers: [] });
    const after = await up(on, inputs, before);
    expect(plan?.members.map(({ key }) => key)).toEqual(keysOf(planIn(after).members));
    expect(plan?.members.filter(({ id }) => id === undefined)).toEqual([{ key: "dune" }]);
    expect(plan?.members.find(({ key }) => key === "acme")?.id).toBe(idIn(before.state, "acme"));
  });

  test("is announced by the diff of an existing one: the stored plan with newcomers", async () => {
    await using on = await rollingStage();
    const first = await up(on, rolling([...three, "dune"], "v2"), await underWay(on, three));
    on.notes.length = 0;
    const inputs = rolling(["acme", "beta", "dune", "elm"], "v2");
    const plans = await announced(on, ({ fleet }) => fleet.diff(first.id, first.state, inputs));
    const plan = plans.get("billing");
    expect(plan).toMatchObject({ isNew: false, from: "501", keys: ["acme", "beta", "dune", "elm"] });
    const members = keysOf(planIn(first).members).filter((key) => key !== "cedar");
    expect(plan?.members).toEqual(members.map((key) => ({ key, id: idIn(first.state, key) })));
    expect(plan?.newcomers).toEqual([{ key: "dune", id: idIn(first.state, "dune") }, { key: "elm" }]);
    expect(on.notes).toEqual(['fleet "billing": creates 1 tenant, archives 1; 3 unchanged']);
  });

  test("is nothing if the integration or the rollout is unknown, or there is no rollout", async () => {
    await using on = await rollingStage();
    const { id, state } = await underWay(on, three);
    for (const inputs of [
      { ...rolling(three, "v2"), integration: unknownValue },
      { ...rolling(three), rollout: unknownValue },
      { ...rolling(three), rollout: { release: { id: unknownValue } } },
    ]) {
      expect(await announced(on, ({ fleet }) => fleet.check(inputs, undefined))).toEqual(new Map());
      expect(await announced(on, ({ fleet }) => fleet.diff(id, state, inputs))).toEqual(new Map());
      expect(await operation(on).diff(id, state, inputs)).toEqual({ isChanged: true });
    }
    expect(await announced(on, ({ fleet }) => fleet.check(rolling(three), undefined))).toEqual(new Map());
  });
});
