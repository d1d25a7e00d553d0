import { describe, expect, test } from "vitest";
import { type Variants, variantValues } from "../../../src/emulator/index.ts";
import { tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { acme, complete, failureOf, type Stage, stage } from "../stage.ts";

// The lifecycle on platforms with every variant of what the specification leaves open. The tests read the result from
// the emulator.

const names = ["defaults", "absentField", "connectionWords", "authConnectors"] as const;
const each: Partial<Variants>[] = names.flatMap((name) =>
  (variantValues[name] ?? []).slice(1).map((value) => JSON.parse(JSON.stringify({ [name]: value }))),
);
const several: Partial<Variants>[] = [
  { defaults: "absent", connectionWords: "terse" },
  { defaults: "absent", absentField: "auth" },
  { absentField: "connected", connectionWords: "capitalized" },
  { defaults: "absent", absentField: "release", visibility: "delayed" },
  { authConnectors: "none", connectionWords: "linked", patchAnswer: "empty" },
  { absentField: "user_schedule", configs: "merge", patchAnswer: "nothing" },
  { absentField: "archived", archivedList: "along", sorting: "refuse" },
  { absentField: "integration_id", metadataWhenNone: "missing", defaults: "absent" },
  { absentField: "last_change", connectionWords: "linked", schemaDefaults: "leave" },
];

describe.concurrent.each([...each, ...several])("with the variants %j", (variants) => {
  const consistencyTimeoutSeconds = variants.visibility === "delayed" ? 3 : 0.3;
  const tenantOf = (on: Stage) => on.operation({ consistencyTimeoutSeconds }).tenant;

  test("a tenant is created, read without a difference, changed, read again and archived", async () => {
    await using on = await stage({ variants });
    const { id, state } = await tenantOf(on).create(complete);
    const kept = { name: "acme", paused: false, user_schedule: "0 */6 * * *", integration_release_id: 901 };
    expect(await on.tenant(id)).toMatchObject({ ...kept, configs: complete.configs, metadata: complete.metadata });
    await showsNoDifference(on, id, state, complete);

    const changed = {
      ...complete,
      schedule: "none",
      release: { channel: "Latest" as const },
      paused: true,
      configs: { region: "us", api_token: "s3cret-token", batch_size: 5 },
      metadata: { plan: "silver" },
    };
    expect(await tenantOf(on).diff(id, state, changed)).toEqual({ isChanged: true });
    const updated = await tenantOf(on).update(id, state, changed);
    const now = { paused: true, user_schedule: null, integration_release_channel: "Latest" };
    expect(await on.tenant(id)).toMatchObject({ ...now, configs: changed.configs, metadata: { plan: "silver" } });
    await showsNoDifference(on, id, updated, changed);

    if (variants.absentField === "status") {
      const { message } = await failureOf(tenantOf(on).delete(id, updated));
      expect(message).toMatch(/connected or may be: .*it sends no status\. .*forceArchive: true/);
      expect(await on.tenant(id)).toMatchObject({ archived: false });
    }
    const isForced = variants.absentField === "status";
    await tenantOf(on).delete(id, isForced ? { ...updated, forceArchive: true } : updated);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });

  test("a newly declared setting is written", async () => {
    await using on = await stage({ variants });
    const { id, state } = await tenantOf(on).create(acme);
    for (const more of [{ schedule: "0 1 * * *" }, { release: { tag: "v1.1.0" } }, { paused: false }]) {
      expect(await tenantOf(on).diff(id, state, { ...acme, ...more })).toEqual({ isChanged: true });
      await tenantOf(on).update(id, state, { ...acme, ...more });
    }
    const now = { user_schedule: "0 1 * * *", integration_release_id: 902, paused: false };
    expect(await on.tenant(id)).toMatchObject(now);
    await tenantOf(on).update(id, state, { ...acme, schedule: "none" });
    expect(await on.tenant(id)).toMatchObject({ user_schedule: null });
  });

  test("a tenant that was archived by hand leaves the state", async () => {
    await using on = await stage({ variants });
    const { id, state } = await tenantOf(on).create(acme);
    await on.changeByHand(id, { archived: true });
    expect(await tenantOf(on).read(id, state)).toBeUndefined();
    await tenantOf(on).delete(id, state);
  });

  test("a connected tenant is not archived", async () => {
    await using on = await stage({ variants });
    const { id, state } = await tenantOf(on).create(acme);
    const connectors = ["crm", "billing"].map((name) => ({ name, status: "connected", last_change: "2026-01-01" }));
    const ran = { id: 7, status: { phase: "succeeded" } };
    await on.changeByHand(id, { status: { auth: { connected: true, connectors }, last_run: ran } });
    await expect(tenantOf(on).delete(id, state)).rejects.toThrow(/is connected or may be: ./);
    expect(await on.tenant(id)).toMatchObject({ archived: false });
  });
});

describe("a declared setting that the platform does not send", () => {
  test.each([
    ["user_schedule", "schedule"],
    ["integration_release_id", "release"],
    ["release", "release"],
  ] as const)("%s: is told once in an operation, and is no difference", async (absentField, setting) => {
    await using on = await stage({ variants: { absentField } });
    const made = [];
    for (const name of ["acme", "bluebird"]) made.push(await on.operation().tenant.create({ ...complete, name }));
    on.warnings.length = 0;
    const { tenant } = on.operation();
    for (const { id, state } of made) {
      await on.changeByHand(id, { user_schedule: "1 1 * * *", integration_release_id: 902 });
      const read = await tenant.read(id, state);
      expect(read?.state[setting]).toEqual(complete[setting]);
    }
    expect(on.warnings).toHaveLength(1);
    expect(on.warnings[0]).toMatch(new RegExp(`a declared ${setting} cannot be compared`));
  });

  test("is still cleared at creation, because the integration may set a schedule that is not visible", async () => {
    await using on = await stage({ variants: { absentField: "user_schedule" } });
    await on.operation().tenant.create({ ...acme, schedule: "none" });
    expect(on.writes()).toMatchObject([{ request: "POST /v2/tenants" }, { body: { user_schedule: null } }]);
  });
});

test("an empty string as the schedule counts as none and is no error", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create({ ...acme, schedule: "0 1 * * *" });
  await on.changeByHand(id, { user_schedule: "" });
  const read = await on.operation().tenant.read(id, state);
  expect(read?.inputs).toMatchObject({ schedule: "none" });
});

test("a release with an empty tag is identified by its id in the state", async () => {
  const releases = [
    { id: 11, name: "one", tag: "v1" },
    { id: 12, name: "two", tag: "" },
  ];
  await using on = await stage({ seed: { integrations: [{ id: 1, name: "crm", releases }] } });
  const made = await on.operation().tenant.create({ integration: "crm", name: "acme", release: { tag: "v1" } });
  await on.changeByHand(made.id, { integration_release_id: 12 });
  const read = await on.operation().tenant.read(made.id, made.state);
  expect(tenantStateSchema.parse(read?.state).release).toEqual({ id: 12 });
});

/** Diffs in a separate operation, like `preview --refresh`, without writes. */
async function showsNoDifference(on: Stage, id: string, state: object, inputs: typeof complete | object) {
  const stored = tenantStateSchema.parse(state);
  on.emulator.clearRequests();
  const { tenant } = on.operation();
  const read = await tenant.read(id, stored);
  expect(read?.state).toEqual(stored);
  expect(await tenant.diff(id, read?.state ?? stored, inputs)).toEqual({ isChanged: false });
  expect(on.writes()).toEqual([]);
}
