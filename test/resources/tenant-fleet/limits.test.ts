import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { stage } from "../stage.ts";
import { brought, fleet, liveNames, operation } from "./fleet-stage.ts";

describe.concurrent("limits", () => {
  const limited = { ...fleet, limits: { archive: 1, change: "50%" } };

  test("refuse an update that would archive too many tenants before any request, and the diff only warns", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const emptied = { ...limited, tenants: {} };
    expect(await operation(on).diff(id, state, emptied)).toEqual({ isChanged: true });
    expect(on.warnings).toContainEqual(
      expect.stringMatching(/up would archive 3 tenants of 3.*acme, bluebird, cedar.*refuse.*ALLOW_LIMITS=1/),
    );
    await expect(operation(on).update(id, state, emptied)).rejects.toThrow(/INTEGRATION_PLATFORM_ALLOW_LIMITS=1/);
    expect(on.writes()).toEqual([]);
  });

  test("refuse an update that would change too many tenants", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const paused = Object.entries(fleet.tenants).map(([key, entry]) => [key, { ...entry, schedule: "1 1 * * *" }]);
    const changed = { ...limited, tenants: Object.fromEntries(paused) };
    await expect(operation(on).update(id, state, changed)).rejects.toThrow(
      /would change 3 tenants of 3, and its limits.change is 50%/,
    );
  });

  test("do not count tenants whose fleet only has another name in the program", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...limited, logicalName: "billing" });
    const renamed = { ...limited, logicalName: "invoices" };
    expect(await operation(on).diff(id, state, renamed)).toEqual({ isChanged: true });
    expect(on.warnings.join()).not.toContain("limits");
    const after = await operation(on).update(id, state, renamed);
    expect(on.writes()).toEqual([]);
    expect(await operation(on).diff(id, after, renamed)).toEqual({ isChanged: false });
  });

  test("count the live tenants that an update takes over with adopt, as it may overwrite their settings", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const theirs = await Promise.all(["x", "y"].map((name) => on.add({ integration: 101, name, source: "api" })));
    const more = {
      x: { adopt: true as const, configs: { region: "us" } },
      y: { adopt: Number(theirs[1]), configs: { region: "us" } },
    };
    const adopting = { ...limited, tenants: { ...fleet.tenants, ...more } };
    on.emulator.clearRequests();
    const one = operation(on);
    expect(await one.check(adopting, state)).toEqual([]);
    expect(await one.diff(id, state, adopting)).toMatchObject({ isChanged: true });
    expect(on.warnings.join()).not.toContain("limits");
    const { y: _, ...onlyX } = adopting.tenants;
    const tight = { ...adopting, tenants: onlyX, limits: { change: 0 } };
    const other = operation(on);
    await other.check(tight, state);
    await expect(other.update(id, state, tight)).rejects.toThrow(
      /would change or take over 1 tenants of 3, and its limits.change is 0: x/,
    );
    expect(on.writes()).toEqual([]);
  });

  test("do not count live tenants that are as the update would create them, such as those of a killed one", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    for (const name of ["x", "y", "z"]) await on.operation().tenant.create({ integration: fleet.integration, name });
    const tenants = { ...fleet.tenants, x: {}, y: {}, z: {} };
    const one = operation(on);
    const again = { ...limited, adopt: true as const, limits: { change: 0 }, tenants };
    await one.check(again, state);
    expect(Object.keys((await one.update(id, state, again)).tenants)).toHaveLength(6);
  });

  test("can be lifted for one run, and allow changes within them", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const { acme: _, ...rest } = fleet.tenants;
    const updated = await operation(on).update(id, state, { ...limited, tenants: rest });
    expect(await liveNames(on)).toEqual(["bluebird", "cedar-2"]);
    await operation(on, { areLimitsLifted: true }).update(id, updated, { ...limited, tenants: {} });
    expect(await liveNames(on)).toEqual([]);
  });
});

const seed = {
  integrations: [
    { id: 1, name: "crm", releases: [] },
    { id: 2, name: "shop", releases: [] },
  ],
  tenants: Array.from({ length: 100 }, (_, index) => ({ id: 1000 + index, integration: 1, name: `t-${index}` })),
};
const tenants = Object.fromEntries(seed.tenants.map(({ name }) => [name, {}]));
const hundred = { integration: "crm", name: "crm", tenants };
const state = {
  ...hundred,
  integrationId: 1,
  tenants: Object.fromEntries(seed.tenants.map(({ id, name }) => [name, { tenantId: id }])),
};

/** The fleet of a hundred tenants without the first ones. */
function without(count: number) {
  return { ...hundred, tenants: Object.fromEntries(Object.entries(tenants).slice(count)) };
}

describe.concurrent("a percentage", () => {
  test.each([
    ["20%", 20],
    ["29%", 29], // 0.29 * 100 is a little less than 29
    ["57%", 57],
    ["64.4%", 65],
    ["0.5%", 1],
    ["1.9%", 2],
    ["0%", 0],
    ["0.0%", 0],
    ["100%", 100],
  ])("of %s of a hundred tenants in the state allows %d and no more", async (archive, allowed) => {
    await using on = await stage({ seed });
    const update = (count: number) => operation(on).update("1/crm", state, { ...without(count), limits: { archive } });
    if (allowed < 100) {
      await expect(update(allowed + 1)).rejects.toThrow(`this would archive ${allowed + 1} tenants of 100`);
      expect(on.writes()).toEqual([]);
    }
    await update(allowed);
    expect(await on.live()).toHaveLength(100 - allowed);
  });

  test("is rounded up exactly to at least one tenant", async () => {
    await using on = await stage({ seed });
    const first = (count: number) => Object.fromEntries(Object.entries(state.tenants).slice(0, count));
    const update = (archive: string, count: number) =>
      operation(on).update(
        "1/crm",
        { ...state, tenants: first(count) },
        { ...hundred, tenants: {}, limits: { archive } },
      );
    await expect(update("1%", 5)).rejects.toThrow("would archive 5 tenants of 5");
    await update("1%", 1);
    expect(await on.live()).toHaveLength(99);
  });

  test("is relative to the tenants in the state, not to the declared ones", async () => {
    await using on = await stage({ seed });
    const more = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`new-${index}`, {}]));
    const grown = { ...without(11), tenants: { ...without(11).tenants, ...more }, limits: { archive: "10%" } };
    await expect(operation(on).update("1/crm", state, grown)).rejects.toThrow(/archive 11 tenants of 100/);
  });
});

describe.concurrent("limits count", () => {
  test("all tenants that another integration replaces, but no retained tenants", async () => {
    await using on = await stage({ seed });
    const moved = { ...hundred, integration: "shop", limits: { archive: 99 } };
    await expect(operation(on).diff("1/crm", state, moved)).rejects.toThrow(/archive 100 tenants of 100.*and 80 more/);
    const replaced = { isChanged: true, replaces: ["integration"] };
    const lifted = operation(on, { areLimitsLifted: true });
    expect(await lifted.diff("1/crm", state, moved)).toEqual(replaced);
    expect(await operation(on).diff("1/crm", { ...state, retainOnDelete: true }, moved)).toEqual(replaced);
    expect(await operation(on).diff("1/crm", state, { ...moved, limits: { archive: 100 } })).toEqual(replaced);
  });

  test("neither created, renamed nor retained tenants as archived", async () => {
    await using on = await stage({ seed });
    const { "t-0": _, ...rest } = tenants;
    const limits = { archive: 0 };
    const renamed = { ...hundred, limits, tenants: { ...rest, first: { name: "t-0", aliases: ["t-0"] }, dune: {} } };
    expect(await operation(on).diff("1/crm", state, renamed)).toEqual({ isChanged: true });
    expect(on.notes).toEqual(['fleet "crm": creates 1 tenant; 100 unchanged']);
    const removed = { ...hundred, limits, tenants: {} };
    expect(await operation(on).diff("1/crm", { ...state, retainOnDelete: true }, removed)).toEqual({ isChanged: true });
    expect(on.notes.at(-1)).toBe('fleet "crm": retains 100 tenants');
  });

  test("no change that is only stored, because otherwise nobody could set retainOnDelete", async () => {
    await using on = await stage({ seed });
    const { id, state: small } = await brought(on, { ...hundred, tenants: { a: {}, b: {} } });
    const limits = { change: 0 };
    for (const more of [{ retainOnDelete: true }, { forceArchive: true }, { adopt: true as const }]) {
      const now = { ...hundred, ...more, limits, tenants: { a: {}, b: {} } };
      expect(await operation(on).diff(id, small, now)).toEqual({ isChanged: true });
      expect(await operation(on).update(id, small, now)).toMatchObject(more);
    }
    expect(on.writes()).toEqual([]);
  });
});

describe.concurrent("in a preview, an unknown value", () => {
  const halves = { ...fleet, limits: { change: 0 } };
  const release = { id: unknownValue };

  test("does not exceed a limit, because it may turn out to be unchanged, and the update checks it again", async () => {
    await using on = await stage();
    const { id, state: before } = await brought(on, halves);
    const unknown = { ...halves, tenants: { ...fleet.tenants, bluebird: { ...fleet.tenants.bluebird, release } } };
    expect(await operation(on).diff(id, before, unknown)).toEqual({ isChanged: true });
    expect(on.notes).toEqual([
      'fleet "billing": changes 1 tenant; 2 unchanged',
      'fleet "billing": bluebird: release {"tag":"v1.0.0"} -> {"id":"(known after up)"}',
    ]);
    const known = { ...fleet.tenants.bluebird, release: { id: 902 } };
    const now = { ...halves, tenants: { ...fleet.tenants, bluebird: known } };
    await expect(operation(on).update(id, before, now)).rejects.toThrow(/would change 1 tenants of 3.*bluebird/);
    expect(on.writes()).toEqual([]);
  });

  test("does not hide known changes, and is counted in the summary", async () => {
    await using on = await stage();
    const { id, state: before } = await brought(on, halves);
    const changed = { acme: { paused: true }, bluebird: { release }, cedar: fleet.tenants.cedar };
    await operation(on).diff(id, before, { ...halves, tenants: changed });
    expect(on.warnings).toContainEqual(expect.stringMatching(/would change 1 tenants of 3.*: acme\./));
    await operation(on).diff(id, before, { ...fleet, tenants: { ...changed, dune: { configs: { x: unknownValue } } } });
    expect(on.notes).toContain('fleet "billing": creates 1 tenant, changes 2; 1 unchanged');
  });

  test("may be a limit, which the update then enforces", async () => {
    await using on = await stage();
    const { id, state: before } = await brought(on);
    const emptied = { ...fleet, tenants: {}, limits: { archive: unknownValue } };
    expect(await operation(on).diff(id, before, emptied)).toEqual({ isChanged: true });
    await expect(operation(on).update(id, before, { ...emptied, limits: { archive: 1 } })).rejects.toThrow(/archive 3/);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
  });

  test("may be all tenants, one tenant, or the integration", async () => {
    await using on = await stage();
    const { id, state: before } = await brought(on, { ...fleet, tenants: { acme: {} } });
    for (const now of [
      { ...halves, tenants: unknownValue },
      { ...halves, tenants: { acme: unknownValue } },
      { ...halves, integration: unknownValue },
    ]) {
      expect(await operation(on).diff(id, before, now)).toEqual({ isChanged: true });
    }
  });
});
