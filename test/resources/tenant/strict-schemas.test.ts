// Releases whose schemas allow no other keys, on platforms that replace, merge, or take a merge patch.
import { describe, expect, test } from "vitest";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { brought, type Stage, stage } from "../stage.ts";

const text = { type: "string" };
const only = (properties: object, required: string[] = []) => {
  return { type: "object", properties, required, additionalProperties: false };
};
const filledIn = { type: "boolean", default: true };
const shapes = [only({ token: text }, ["token"]), only({ user: text, login: text }, ["user", "login"])];
const seed = {
  integrations: [
    {
      id: 1,
      name: "strict",
      default_release_id: 2,
      releases: [
        {
          ...{ id: 2, name: "v1", tag: "v1" },
          config_schema: only({ region: text, legacy: text, auth: { oneOf: shapes } }),
          metadata_schema: only({ plan: text, old: text }),
        },
        {
          ...{ id: 3, name: "v2", tag: "v2" },
          config_schema: only({ region: text, zone: text }),
          metadata_schema: only({ plan: text }),
        },
        { id: 4, name: "v3", tag: "v3", config_schema: only({ region: text, filledIn }), metadata_schema: null },
      ],
    },
  ],
};
const acme = { integration: "strict", name: "acme" };
const v1 = { ...acme, release: { tag: "v1" } };
const v2 = { ...acme, release: { tag: "v2" } };

describe.each(["replace", "merge-patch"] as const)("a platform whose PATCH is %s", (way) => {
  const variants = { configs: way, metadata: way };

  test.each<[string, TenantInputs, TenantInputs]>([
    [
      "a config key that the new release does not have",
      { ...v1, configs: { region: "eu", legacy: "x" } },
      { ...v2, configs: { region: "eu", zone: "a" } },
    ],
    [
      "the parts of a value that changes its shape",
      { ...v1, configs: { auth: { token: "t" } } },
      { ...v1, configs: { auth: { user: "u", login: "l" } } },
    ],
  ])("drops %s", async (_, before, now) => {
    await using on = await stage({ seed, variants });
    const { id, state } = await brought(on, before);
    await up(on, id, state, now);
    expect((await on.tenant(id)).configs).toEqual(now.configs);
  });

  test("drops a metadata key that the release does not have any more", async () => {
    await using on = await stage({ seed, variants });
    const { id, state } = await brought(on, { ...v1, configs: { region: "eu" }, metadata: { plan: "a", old: "b" } });
    await on.changeByHand(id, { integration_release_id: 3 });
    await up(on, id, state, { ...v2, configs: { region: "eu" }, metadata: { plan: "b" } });
    expect((await on.tenant(id)).metadata).toEqual({ plan: "b" });
  });

  test("drops a default that it has filled in itself, once it was declared", async () => {
    await using on = await stage({ seed, variants });
    const v3 = { ...acme, release: { tag: "v3" } };
    const { id, state } = await brought(on, { ...v3, configs: { region: "eu" } });
    expect((await on.tenant(id)).configs).toEqual({ region: "eu", filledIn: true });
    const now = { ...v2, configs: { region: "eu" } };
    const [failure] = await on.operation().tenant.check(now, state);
    expect(failure?.reason).toContain(
      "declare it with the value that it has, run up, and then remove it together with this",
    );

    on.emulator.clearRequests();
    const declared = await up(on, id, state, { ...v3, configs: { region: "eu", filledIn: true } });
    expect(on.writes()).toEqual([]);
    await up(on, id, declared, now);
    expect((await on.tenant(id)).configs).toEqual({ region: "eu" });
  });
});

test("the first refusal is shown if the platform refuses null too", async () => {
  await using on = await stage({ seed, variants: { configs: "merge" } });
  const { id, state } = await brought(on, { ...v1, configs: { region: "eu", legacy: "x" } });
  const failing = on.operation().tenant.update(id, state, { ...v2, configs: { region: "eu" } });
  await expect(failing).rejects.toThrow(/422/);
  expect((await on.tenant(id)).configs).toEqual({ region: "eu", legacy: "x" });
});

/** An `up` with a refresh, whose check has nothing to say. */
async function up(on: Stage, id: string, state: object, now: TenantInputs) {
  const { tenant } = on.operation();
  const read = await tenant.read(id, state as Parameters<typeof tenant.read>[1]);
  if (read === undefined) throw new Error("the tenant is gone");
  expect(await tenant.check(now, read.inputs)).toEqual([]);
  await tenant.diff(id, read.state, now);
  return tenant.update(id, read.state, now);
}
