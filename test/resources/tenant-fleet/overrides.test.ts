import { describe, expect, test } from "vitest";
import { createManualClock } from "../../../src/emulator/index.ts";
import { unknownValue } from "../../../src/json/unknown.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import { overriddenKeys } from "../../../src/resources/tenant-fleet/overridden.ts";
import type { TenantFleetInputs, TenantFleetState } from "../../../src/resources/tenant-fleet/schema.ts";
import { type Stage, stage } from "../stage.ts";
import { idIn, keptOf, operation } from "./fleet-stage.ts";

const incident = { paused: true, reason: "INC-42" };
const until = "2030-01-01T02:00:00Z";
const done = { isChanged: false };
const changed = { isChanged: true };

const fleet = {
  integration: "crm-to-billing",
  name: "billing",
  limits: { change: 0 },
  tenants: {
    acme: { paused: false, configs: { region: "eu" } },
    bluebird: { schedule: "0 * * * *" },
    cedar: { paused: true, name: "cedar-2" },
  },
} satisfies TenantFleetInputs;
const { acme, bluebird, cedar } = fleet.tenants;

/** The fleet, in which some tenants have overrides of their own. */
function withOverrides(overrides: Partial<Record<keyof typeof fleet.tenants, object>>): TenantFleetInputs {
  const entries = Object.entries(fleet.tenants).map(([key, entry]) => {
    const own = Object.entries(overrides).find(([of]) => of === key);
    return [key, own === undefined ? entry : { ...entry, override: own[1] }];
  });
  return { ...fleet, tenants: Object.fromEntries(entries) };
}

function overrideStage(): Promise<Stage> {
  return stage({ clock: createManualClock("2030-01-01T00:00:00Z") });
}

/** A fleet that an earlier operation created. Of its tenants only cedar is paused. The request log is empty. */
async function brought(on: Stage, inputs: TenantFleetInputs = fleet) {
  const { id, state } = await operation(on).create(inputs);
  await on.changeByHand(idIn(state, "bluebird"), { paused: false });
  forget(on);
  return { id, state };
}

async function overridden(on: Stage, inputs: TenantFleetInputs = { ...fleet, override: incident }) {
  const { id, state } = await brought(on);
  const after = await operation(on).update(id, state, inputs);
  forget(on);
  return { id, state: after };
}

function forget(on: Stage) {
  on.emulator.clearRequests();
  on.notes.length = 0;
  on.warnings.length = 0;
}

/** Whether the tenants are paused, by their names. */
async function paused(on: Stage): Promise<Record<string, boolean>> {
  return Object.fromEntries((await on.live()).map(({ name, paused: isPaused }) => [name, isPaused]));
}

async function previewed(on: Stage, id: string, state: TenantFleetState, inputs: object) {
  const one = operation(on);
  expect(await one.check(inputs, state)).toEqual([]);
  return one.diff(id, state, inputs);
}

async function refreshed(on: Stage, id: string, state: TenantFleetState) {
  const read = await operation(on).read(id, state);
  if (read === undefined) throw new Error("the fleet is gone");
  return read;
}

const all = { acme: true, bluebird: true, "cedar-2": true };
const before = { acme: false, bluebird: false, "cedar-2": true };

describe("tenants that were paused before the override began", () => {
  test("do not count for the limits, although a refresh has shown them as changed", async () => {
    await using on = await overrideStage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "acme"), { paused: true });
    const read = await refreshed(on, id, state);
    const declared = { ...fleet, override: incident };
    expect(await previewed(on, id, read.state, declared)).toEqual(changed);
    expect(on.warnings).toEqual([]);
    const after = await operation(on).update(id, read.state, declared);
    expect(await paused(on)).toEqual(all);
    expect(await operation(on).diff(id, after, declared)).toEqual(done);
    await operation(on).update(id, after, fleet);
    expect(await paused(on)).toEqual(before);
  });

  test("are named if they declare no paused, as the end leaves them paused", async () => {
    await using on = await overrideStage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "bluebird"), { paused: true });
    forget(on);
    await operation(on).update(id, state, { ...fleet, override: incident });
    expect(on.notes).toContainEqual(
      expect.stringMatching(/1 tenant declared no paused .* leaves them paused: bluebird$/),
    );
  });
});

test("a tenant that is retained during an override is named, as nobody resumes it", async () => {
  await using on = await overrideStage();
  const retained = { ...fleet, retainOnDelete: true, override: incident };
  const { id, state } = await overridden(on, retained);
  const { bluebird: _, ...rest } = fleet.tenants;
  await previewed(on, id, state, { ...retained, tenants: rest });
  const warning = `stay paused. Resume them by hand after the incident: bluebird (${idIn(state, "bluebird")})`;
  expect(on.warnings).toContainEqual(expect.stringContaining(warning));
});

test("so does the preview of a removal of the fleet, and the removal, of those that it retains", async () => {
  await using on = await overrideStage();
  const retained = { ...fleet, retainOnDelete: true, override: incident };
  const { id, state } = await overridden(on, retained);
  on.warnings.length = 0;
  const warning = "stay paused. Resume them by hand after the incident: acme";
  await operation(on).diff(id, state, { ...retained, integration: 102 });
  expect(on.warnings).toContainEqual(expect.stringContaining(warning));
  on.warnings.length = 0;
  await operation(on).delete(id, state);
  expect(on.warnings).toContainEqual(expect.stringContaining(warning));
});

test("an override's pauses come before all else that an update does", async () => {
  await using on = await overrideStage();
  const { id, state } = await brought(on);
  const { cedar: _, ...others } = fleet.tenants;
  const tenants = { ...others, acme: { ...acme, override: incident }, dune: {} };
  const { context } = on.operation();
  let isQuiet = false;
  const ownership = {
    ...context.ownership,
    untilArchivable: async () => {
      isQuiet = true;
      expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${idIn(state, "acme")}`, body: { paused: true } }]);
    },
  };
  await tenantFleetLifecycle({ ...context, ownership }).update(id, state, { ...fleet, tenants });
  expect(isQuiet).toBe(true);
  expect(on.writes()).toHaveLength(3);
});

test("a fleet that is interrupted after the pauses keeps them in its state", async () => {
  await using on = await overrideStage();
  const { id, state } = await brought(on);
  const { cedar: _, ...others } = fleet.tenants;
  const { context } = on.operation();
  const untilArchivable = () => Promise.reject(new Error("the operation was cancelled"));
  const lifecycle = tenantFleetLifecycle({ ...context, ownership: { ...context.ownership, untilArchivable } });
  const declared = { ...fleet, override: incident, tenants: others };
  const kept = await keptOf(lifecycle.update(id, state, declared));
  expect(kept.message).toContain("cedar: the operation was cancelled");
  expect(Object.keys(kept.state.tenants)).toEqual(["acme", "bluebird", "cedar"]);
  expect(kept.state.tenants.acme).toMatchObject({ overridden: { paused: false } });
});

describe("an override of a fleet", () => {
  test("pauses its tenants, whatever the limits are, and its removal restores them", async () => {
    await using on = await overrideStage();
    const { id, state } = await brought(on);
    const declared = { ...fleet, override: incident };
    expect(await previewed(on, id, state, declared)).toEqual(changed);
    expect(on.notes).toEqual([
      'fleet "billing": override INC-42 pauses 3 tenants',
      'fleet "billing": changes 3 tenants',
    ]);
    const after = await operation(on).update(id, state, declared);
    expect(await paused(on)).toEqual(all);
    expect(on.writes().map(({ body }) => body)).toEqual([{ paused: true }, { paused: true }]);
    expect(after.tenants).toEqual({
      acme: { ...acme, overridden: { paused: false }, tenantId: idIn(state, "acme") },
      bluebird: { ...bluebird, overridden: { paused: false }, tenantId: idIn(state, "bluebird") },
      cedar: { ...cedar, overridden: { paused: true }, tenantId: idIn(state, "cedar") },
    });

    forget(on);
    expect(await refreshed(on, id, after)).toEqual({ inputs: declared, state: after });
    expect(await previewed(on, id, after, declared)).toEqual(done);
    expect(on.notes).toEqual(['fleet "billing": override INC-42 pauses 3 tenants']);

    forget(on);
    expect(await previewed(on, id, after, fleet)).toEqual(changed);
    expect(on.notes).toEqual([
      'fleet "billing": the end of override INC-42 resumes 2 tenants and leaves 1 tenant paused',
      'fleet "billing": changes 3 tenants',
    ]);
    expect(on.warnings).toEqual([]);
    expect(await operation(on).update(id, after, fleet)).toEqual(state);
    expect(await paused(on)).toEqual(before);
  });

  test("at its end by the clock is work of the next up, and then one warning", async () => {
    await using on = await overrideStage();
    const declared = { ...fleet, override: { ...incident, until } };
    const { id, state } = await overridden(on, declared);
    await on.emulator.advance({ seconds: 2 * 3600 });
    expect(await refreshed(on, id, state)).toEqual({ inputs: declared, state });
    expect(await previewed(on, id, state, declared)).toEqual({ isChanged: false, isUnfinished: true });
    const restored = await operation(on).update(id, state, declared);
    expect(await paused(on)).toEqual(before);
    forget(on);
    expect(await previewed(on, id, restored, declared)).toEqual(done);
    expect(on.warnings).toEqual([`override INC-42 has ended at ${until}: it pauses nothing any more. Remove it`]);
    expect(await previewed(on, id, restored, fleet)).toEqual(changed);
    await operation(on).update(id, restored, fleet);
    expect(on.writes()).toEqual([]);
  });

  test("with another reason is stored without a request for each tenant", async () => {
    await using on = await overrideStage();
    const { id, state } = await overridden(on);
    const declared = { ...fleet, override: { ...incident, reason: "INC-43" } };
    expect(await previewed(on, id, state, declared)).toEqual(changed);
    forget(on);
    const after = await operation(on).update(id, state, declared);
    expect(after).toEqual({ ...state, override: declared.override });
    expect(on.emulator.requests().filter(({ path }) => path.startsWith("/v2/tenants"))).toEqual([]);
  });

  test("does not lift the limits for other changes", async () => {
    await using on = await overrideStage();
    const { id, state } = await brought(on);
    const tenants = { ...fleet.tenants, acme: { ...acme, schedule: "1 1 * * *" } };
    const declared = { ...fleet, override: incident, tenants };
    await previewed(on, id, state, declared);
    expect(on.warnings).toEqual([expect.stringMatching(/up would change 1 tenants of 3.*: acme\./)]);
    await expect(operation(on).update(id, state, declared)).rejects.toThrow(/change 1 tenants of 3/);
    expect(on.writes()).toEqual([]);
  });

  test("pauses a tenant that somebody resumes, and shows only that as drift", async () => {
    await using on = await overrideStage();
    const declared = { ...fleet, override: incident };
    const { id, state } = await overridden(on);
    await on.changeByHand(idIn(state, "bluebird"), { paused: false });
    forget(on);
    const drifted = await refreshed(on, id, state);
    const resumed = { ...incident, paused: false };
    expect(drifted.inputs).toEqual({
      ...declared,
      tenants: { ...fleet.tenants, bluebird: { ...bluebird, override: resumed } },
    });
    expect(await previewed(on, id, drifted.state, declared)).toEqual(changed);
    expect(await operation(on).update(id, drifted.state, declared)).toEqual(state);
    expect(on.writes().map(({ body }) => body)).toEqual([{ paused: true }]);
    // if somebody pauses it again instead, nothing is left of the drift
    await on.changeByHand(idIn(state, "bluebird"), { paused: true });
    expect(await refreshed(on, id, drifted.state)).toEqual({ inputs: declared, state });
  });

  test("keeps what a tenant had when its key and its name change, and restores it then", async () => {
    await using on = await overrideStage();
    const { id, state } = await overridden(on);
    const { bluebird: _, ...others } = fleet.tenants;
    const tenants = { ...others, robin: { ...bluebird, aliases: ["bluebird"] } };
    const lifted = { ...fleet, limits: {}, tenants };
    const after = await operation(on).update(id, state, { ...lifted, override: incident });
    expect(after.tenants.robin).toMatchObject({ tenantId: idIn(state, "bluebird"), overridden: { paused: false } });
    await operation(on).update(id, after, lifted);
    expect(await paused(on)).toEqual({ acme: false, robin: false, "cedar-2": true });
  });

  test("keeps a new tenant paused, and one that is taken over as well", async () => {
    await using on = await overrideStage();
    await on.add({ integration: "crm-to-billing", name: "bluebird", paused: false });
    const declared = { ...fleet, adopt: true as const, override: incident };
    const { id, state } = await operation(on).create(declared);
    expect(await paused(on)).toEqual(all);
    expect(state.tenants).toMatchObject({
      acme: { overridden: { paused: true } },
      bluebird: { overridden: { paused: false } },
    });
    await operation(on).update(id, state, { ...fleet, adopt: true });
    expect(await paused(on)).toEqual(before);
  });

  test("can be removed with the fleet", async () => {
    await using on = await overrideStage();
    const { id, state } = await overridden(on);
    await operation(on).delete(id, state);
    expect(await on.live()).toEqual([]);
  });
});

describe("overrides of tenants", () => {
  test("pause two of three, and leave the third as it is", async () => {
    await using on = await overrideStage();
    const declared = withOverrides({ acme: incident, cedar: { ...incident, reason: "INC-43", until } });
    const { id, state } = await brought(on);
    await previewed(on, id, state, declared);
    expect(on.notes).toEqual([
      'fleet "billing": override INC-42 pauses 1 tenant',
      `fleet "billing": override INC-43 pauses 1 tenant until ${until}`,
      'fleet "billing": changes 2 tenants; 1 unchanged',
    ]);
    const after = await operation(on).update(id, state, declared);
    expect(await paused(on)).toEqual({ ...before, acme: true });
    expect(await refreshed(on, id, after)).toEqual({ inputs: declared, state: after });
    await on.emulator.advance({ seconds: 3 * 3600 });
    const without = { ...fleet, tenants: { ...fleet.tenants, acme: { ...acme, override: incident } } };
    const later = await operation(on).update(id, after, without);
    expect(await paused(on)).toEqual({ ...before, acme: true });
    await operation(on).update(id, later, fleet);
    expect(await paused(on)).toEqual(before);
  });

  test("win over the fleet's, and move to the fleet without a request", async () => {
    await using on = await overrideStage();
    const own = withOverrides({ acme: incident, bluebird: incident, cedar: incident });
    const { id, state } = await overridden(on, own);
    const ended = { ...incident, until: "2029-12-31T00:00:00Z" };
    const both = { ...own, override: ended };
    const same = await operation(on).update(id, state, both);
    expect(on.writes()).toEqual([]);
    const onlyFleet = { ...fleet, override: incident };
    const after = await operation(on).update(id, same, onlyFleet);
    expect(on.writes()).toEqual([]);
    expect(await refreshed(on, id, after)).toEqual({ inputs: onlyFleet, state: after });
    await operation(on).update(id, after, fleet);
    expect(await paused(on)).toEqual(before);
  });
});

describe("an up that fails in part", () => {
  const onPatch = { method: "PATCH", path: "^/v2/tenants/[0-9]+$" };

  test("stores what each paused tenant had, and the next one pauses the rest", async () => {
    await using on = await overrideStage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status: 403, match: onPatch, times: 1 });
    const declared = { ...fleet, override: incident };
    const { state: kept } = await keptOf(operation(on).update(id, state, declared));
    expect(Object.values(await paused(on)).filter((isPaused) => isPaused)).toHaveLength(2);
    expect(Object.values(kept.tenants).map((entry) => entry.overridden)).toEqual([
      undefined,
      { paused: false },
      { paused: true },
    ]);
    expect(await previewed(on, id, kept, declared)).toMatchObject({ isUnfinished: true });
    const after = await operation(on).update(id, kept, declared);
    expect(await paused(on)).toEqual(all);
    await operation(on).update(id, after, fleet);
    expect(await paused(on)).toEqual(before);
  });

  test("goes on with the restoration in the next one", async () => {
    await using on = await overrideStage();
    const { id, state } = await overridden(on);
    on.emulator.fault({ kind: "status", status: 403, match: onPatch, times: 1 });
    const { state: kept } = await keptOf(operation(on).update(id, state, fleet));
    expect(Object.values(kept.tenants).filter((entry) => entry.overridden)).toHaveLength(1);
    expect(await refreshed(on, id, kept)).toEqual({ inputs: fleet, state: kept });
    expect(await previewed(on, id, kept, fleet)).toEqual({ isChanged: false, isUnfinished: true });
    await operation(on).update(id, kept, fleet);
    expect(await paused(on)).toEqual(before);
  });

  test("pauses a tenant whose configs are refused, and its neighbours", async () => {
    await using on = await overrideStage();
    const { id, state } = await brought(on);
    const tenants = { ...fleet.tenants, acme: { ...acme, configs: { region: "mars" } } };
    const declared = { ...fleet, limits: {}, override: incident, tenants };
    const { state: kept } = await keptOf(operation(on).update(id, state, declared));
    expect(await paused(on)).toEqual(all);
    expect(kept.tenants.acme).toMatchObject({ configs: acme.configs, overridden: { paused: false } });
  });
});

describe("the keys of the overridden tenants", () => {
  const keys = async (inputs: object) => {
    await using on = await overrideStage();
    return [...(await overriddenKeys(on.operation().context, inputs))];
  };

  test("are those whose own override, or else the fleet's, is in force", async () => {
    const ended = { ...incident, until: "2030-01-01T00:00:00Z" };
    expect(await keys(fleet)).toEqual([]);
    expect(await keys({ ...fleet, override: incident })).toEqual(["acme", "bluebird", "cedar"]);
    expect(await keys(withOverrides({ bluebird: { ...incident, until } }))).toEqual(["bluebird"]);
    expect(await keys({ ...withOverrides({ bluebird: ended }), override: incident })).toEqual(["acme", "cedar"]);
    expect(await keys({ ...withOverrides({ bluebird: incident }), override: ended })).toEqual(["bluebird"]);
  });

  test("are those that a preview knows", async () => {
    expect(await keys({ ...fleet, override: unknownValue })).toEqual([]);
    expect(await keys({ override: incident, tenants: unknownValue })).toEqual([]);
    expect(await keys({ override: incident, tenants: { acme: unknownValue, bluebird: {} } })).toEqual([
      "acme",
      "bluebird",
    ]);
    expect(await keys({ override: incident, tenants: { acme: { override: unknownValue } } })).toEqual([]);
    expect(await keys({ override: { ...incident, until: unknownValue }, tenants: { acme: {} } })).toEqual([]);
  });
});
