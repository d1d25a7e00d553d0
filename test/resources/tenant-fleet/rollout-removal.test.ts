import { describe, expect, test } from "vitest";
import { tenantFleetDeletionSchema } from "../../../src/resources/tenant-fleet/schema.ts";
import { fastStage, requestsOf } from "../passing-time.ts";
import type { Stage } from "../stage.ts";
import { idIn, operation } from "./fleet-stage.ts";
import { move, planIn, rolling, rollingStage, runs, underWay, up } from "./rolling-fleet.ts";

const three = ["acme", "beta", "cedar"];

/** Entries that all declare the release with the tag. */
function on(tag: string) {
  return Object.fromEntries(three.map((key) => [key, { release: { tag } }]));
}

describe("a fleet whose rollout is removed", () => {
  test("applies the releases of its entries at once, and its state has no plan any more", async () => {
    await using platform = await rollingStage();
    const before = await underWay(platform, three);
    await move(platform, before, ["acme"], 502);
    const after = await up(platform, rolling(on("v2")), before);
    expect(platform.notes).toEqual([
      'fleet "billing": changes 2 tenants; 1 unchanged',
      'fleet "billing": 2 tenants: release (absent) -> {"tag":"v2"}',
    ]);
    expect(await runs(platform)).toEqual({ acme: 502, beta: 502, cedar: 502 });
    expect(after.state).not.toHaveProperty("rolloutPlan");
    expect(after.state).not.toHaveProperty("rollout");
    expect(after.state.tenants.acme).toEqual({ tenantId: idIn(after.state, "acme"), release: { tag: "v2" } });
    expect(await operation(platform).diff(after.id, after.state, after.inputs)).toEqual({ isChanged: false });
  });

  test("counts in its limits those whose release changes", async () => {
    await using platform = await rollingStage();
    const before = await underWay(platform, three);
    await move(platform, before, ["acme"], 502);
    await expect(up(platform, rolling(on("v2"), undefined, { limits: { change: 1 } }), before)).rejects.toThrow(
      /would change 2 tenants of 3/,
    );
    expect(platform.writes()).toEqual([]);
    await up(platform, rolling(on("v2"), undefined, { limits: { change: 2 } }), before);
    expect(await runs(platform)).toEqual({ acme: 502, beta: 502, cedar: 502 });
  });

  test("writes nothing if everybody runs what they declare", async () => {
    await using platform = await rollingStage();
    const before = await underWay(platform, three);
    const after = await up(platform, rolling(on("v1"), undefined, { limits: { change: 0 } }), before);
    expect(after.diff).toEqual({ isChanged: true });
    expect(platform.writes()).toEqual([]);
    expect(after.state).not.toHaveProperty("rolloutPlan");
    expect(await operation(platform).diff(after.id, after.state, after.inputs)).toEqual({ isChanged: false });
  });

  test("leaves the releases alone if no entry declares one", async () => {
    await using platform = await rollingStage();
    const before = await underWay(platform, three);
    await move(platform, before, ["acme"], 502);
    const after = await up(platform, rolling(three), before);
    expect(platform.writes()).toEqual([]);
    expect(after.state).not.toHaveProperty("rolloutPlan");
  });
});

test("a deletion archives the tenants even if the plan is broken", async () => {
  await using platform = await rollingStage();
  const { id, state } = await underWay(platform, three);
  const broken = { ...state, rollout: "v2", rolloutPlan: { number: "one", members: 7 } };
  await operation(platform).delete(id, tenantFleetDeletionSchema.parse(broken));
  expect(await platform.live()).toEqual([]);
});

test("an import has no rollout", async () => {
  await using platform = await rollingStage();
  await underWay(platform, three);
  const imported = await operation(platform).import?.("crm/billing");
  expect(Object.keys(imported?.state.tenants ?? {})).toEqual(three);
  expect(imported?.state).not.toHaveProperty("rollout");
  expect(imported?.state).not.toHaveProperty("rolloutPlan");
});

describe("a sync whose trigger is the release", () => {
  const [older, newer] = [{ tag: "v1.0.0" }, { tag: "v1.1.0" }];
  const sync = { mode: "init", wait: false } as const;

  /** A fleet as the stack declares it with `sync.on: [release]`. */
  function fleetOf(releases: Readonly<Record<string, { tag: string } | undefined>>, rollout?: { tag: string }) {
    const entries = Object.entries(releases).map(([key, release]) => [
      key,
      release === undefined ? {} : { release, sync: { triggers: { release: release.tag } } },
    ]);
    const to = rollout === undefined ? {} : { rollout: { release: rollout } };
    const common = { integration: "crm-to-billing", name: "billing", adopt: true, sync } as const;
    return { ...common, tenants: Object.fromEntries(entries), ...to };
  }

  const all = (release?: { tag: string }) => Object.fromEntries(three.map((key) => [key, release]));

  async function synced(): Promise<Stage> {
    const platform = await fastStage();
    for (const name of three) await platform.add({ integration: "crm-to-billing", name, user_name: `user-${name}` });
    return platform;
  }

  function asked(platform: Stage, state: { tenants: Record<string, { tenantId: number }> }): string[] {
    const ids = requestsOf(platform, "POST", /\/sync$/).map(({ path }) => Number(/\d+(?=\/sync)/.exec(path)?.[0]));
    platform.emulator.clearRequests();
    return three.filter((key) => ids.includes(state.tenants[key]?.tenantId ?? 0));
  }

  test("is not requested when a rollout begins, nor for those whose release is the same when it is removed", async () => {
    await using platform = await synced();
    const managed = await up(platform, fleetOf(all(older)));
    expect(asked(platform, managed.state)).toEqual(three);

    const begun = await up(platform, fleetOf(all(), newer), managed);
    expect(platform.writes()).toEqual([]);
    expect(begun.state.tenants.acme?.sync).not.toHaveProperty("triggers");
    expect(await operation(platform).diff(begun.id, begun.state, begun.inputs)).toEqual({ isChanged: false });

    await move(platform, begun, ["acme"], 902);
    platform.emulator.clearRequests();
    const removed = await up(platform, fleetOf(all(newer)), begun);
    expect(asked(platform, removed.state)).toEqual(["beta", "cedar"]);
    expect(removed.state.tenants.acme?.sync).toMatchObject({ triggers: { release: "v1.1.0" } });
    expect(await operation(platform).diff(removed.id, removed.state, removed.inputs)).toEqual({ isChanged: false });
  });

  test("is requested for a pin that changes the release, and not for one that holds it", async () => {
    await using platform = await synced();
    const managed = await up(platform, fleetOf(all(older)));
    const begun = await up(platform, fleetOf(all(), newer), managed);
    platform.emulator.clearRequests();
    const pinned = await up(platform, fleetOf({ acme: older, beta: newer, cedar: undefined }, newer), begun);
    expect(asked(platform, pinned.state)).toEqual(["beta"]);
    expect(
      planIn(pinned)
        .members.split(" ")
        .filter((member) => member.startsWith("=")),
    ).toHaveLength(2);
    expect(await operation(platform).diff(pinned.id, pinned.state, pinned.inputs)).toEqual({ isChanged: false });
  });

  test("keeps its other triggers", async () => {
    await using platform = await synced();
    const managed = await up(platform, fleetOf(all(older)));
    const begun = await up(platform, fleetOf(all(), newer), managed);
    platform.emulator.clearRequests();
    const entries = three.map((key) => [key, { sync: { triggers: { when: "tuesday" } } }]);
    const changed = await up(platform, { ...fleetOf(all(), newer), tenants: Object.fromEntries(entries) }, begun);
    expect(asked(platform, changed.state)).toEqual(three);
  });
});
