import { describe, expect, test } from "vitest";
import { brought, complete, failureOf, type Stage, stage } from "../stage.ts";

const masked = { variants: { maskedConfigs: "yes" } } as const;
const loginSchema = {
  properties: { login: { properties: { user: { type: "string" }, password: { type: "string", format: "password" } } } },
};

describe("masked configs", () => {
  test("cause no drift and no difference", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on);
    const { tenant } = on.operation();
    expect(await tenant.read(id, state)).toEqual({ inputs: complete, state });
    expect(await tenant.diff(id, state, complete)).toEqual({ isChanged: false });
  });

  test("are written again with the other configs, but never as the mask", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on);
    const now = { ...complete, configs: { ...complete.configs, region: "us" } };
    expect((await on.operation().tenant.update(id, state, now)).configs).toEqual(now.configs);
    expect((await on.tenant(id)).configs).toEqual(now.configs);
    expectNoMaskSent(on);
  });

  test("are written when the secret changes", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on);
    const now = { ...complete, configs: { ...complete.configs, api_token: "another-token" } };
    const { tenant } = on.operation();
    expect(await tenant.diff(id, state, now)).toEqual({ isChanged: true });
    expect((await tenant.update(id, state, now)).configs).toEqual(now.configs);
    expect((await on.tenant(id)).configs.api_token).toBe("another-token");
    expectNoMaskSent(on);
  });

  test("are not written when another setting changes", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on);
    await on.operation().tenant.update(id, state, { ...complete, schedule: "0 1 * * *" });
    expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${id}`, body: { user_schedule: "0 1 * * *" } }]);
    expect((await on.tenant(id)).configs).toEqual(complete.configs);
  });

  test("are written when a tenant is taken over, whatever its current value", async () => {
    await using on = await stage(masked);
    const id = await on.add({ integration: 101, name: "acme", configs: { region: "eu", api_token: "theirs" } });
    const { state } = await on.operation().tenant.create({ ...complete, adopt: true });
    expect(state.configs).toEqual(complete.configs);
    expect((await on.tenant(id)).configs).toEqual(complete.configs);
  });

  test("can be removed", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on);
    await on.operation().tenant.update(id, state, { ...complete, configs: { region: "eu" } });
    expect((await on.tenant(id)).configs).toEqual({ region: "eu" });
  });
});

test.each([
  ["merge", { region: "eu", api_token: "s3cret-token" }, 2], // such a platform can remove no key
  ["merge-patch", { api_token: "s3cret-token" }, 2],
] as const)(
  "a key beside a masked secret is removed with one more write, and without a warning (%s)",
  async (configs, left, writes) => {
    await using on = await stage({ variants: { ...masked.variants, configs } });
    const { id, state } = await brought(on);
    on.warnings.length = 0;
    const now = { ...complete, configs: { api_token: "s3cret-token" } };
    await on
      .operation()
      .tenant.update(id, state, now)
      .catch(() => {});
    expect((await on.tenant(id)).configs).toMatchObject(left);
    expect({ warnings: on.warnings, writes: on.writes().length }).toEqual({ warnings: [], writes });
  },
);

test.each(["yes", "left-out"] as const)(
  "a part beside a hidden secret is removed without a warning (%s)",
  async (maskedConfigs) => {
    const releases = [{ id: 2, name: "v1", config_schema: loginSchema }];
    const seed = { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }] };
    await using on = await stage({ seed, variants: { configs: "merge-patch", maskedConfigs } });
    const login = { user: "ada", password: "s3cret" };
    const inputs = { integration: "vault", name: "acme", configs: { login: { ...login, role: "admin" } } };
    const { id, state } = await brought(on, inputs);
    on.warnings.length = 0;
    await on.operation().tenant.update(id, state, { ...inputs, configs: { login } });
    expect((await on.tenant(id)).configs).toEqual({ login });
    expect(on.warnings).toEqual([]);
  },
);

test.each(["replace", "merge", "merge-patch"] as const)(
  "a masked part of a config can be removed (%s)",
  async (configs) => {
    const integrations = [
      { id: 1, name: "vault", default_release_id: 2, releases: [{ id: 2, name: "v1", config_schema: loginSchema }] },
    ];
    await using on = await stage({ seed: { integrations }, variants: { ...masked.variants, configs } });
    const inputs = { integration: "vault", name: "acme", configs: { login: { user: "ada", password: "s3cret" } } };
    const { id, state } = await brought(on, inputs);
    const now = { ...inputs, configs: { login: { user: "ada" } } };
    const updated = await on.operation().tenant.update(id, state, now);
    expect((await on.tenant(id)).configs).toEqual(now.configs);
    expect(updated.configs).toEqual(now.configs);

    await on.changeByHand(id, { configs: inputs.configs });
    const read = await on.operation().tenant.read(id, updated);
    expect(read?.state.configs).toEqual({ login: { user: "ada", password: "(not shown, as it may be a secret)" } });
    if (configs === "merge") return; // such a platform can remove no key
    await on.operation().tenant.update(id, read?.state ?? updated, { ...inputs, configs: {} });
    expect((await on.tenant(id)).configs).toEqual({});
  },
);

describe("an undeclared masked config", () => {
  test("is not overwritten, so a change of another config is refused", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on, { ...complete, configs: { region: "eu" } });
    await on.changeByHand(id, { configs: { region: "eu", api_token: "theirs" } });
    const now = { ...complete, configs: { region: "us" } };
    const failure = await failureOf(on.operation().tenant.update(id, state, now));
    expect(failure.message).toMatch(/configs\.api_token.*hides.*[Dd]eclare it/);
    expect((await on.tenant(id)).configs).toEqual({ region: "eu", api_token: "theirs" });
    expect(on.writes()).toEqual([]);
  });

  test("does not prevent other changes", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on, { ...complete, configs: { region: "eu" } });
    await on.changeByHand(id, { configs: { region: "eu", api_token: "theirs" } });
    await on.operation().tenant.update(id, state, { ...complete, configs: { region: "eu" }, schedule: "0 1 * * *" });
    expect(await on.tenant(id)).toMatchObject({ user_schedule: "0 1 * * *", configs: { api_token: "theirs" } });
  });

  test("is written once it is declared", async () => {
    await using on = await stage(masked);
    const { id, state } = await brought(on, { ...complete, configs: { region: "eu" } });
    await on.changeByHand(id, { configs: { region: "eu", api_token: "theirs" } });
    await on.operation().tenant.update(id, state, complete);
    expect((await on.tenant(id)).configs).toEqual(complete.configs);
  });
});

test("a password that the platform returns in another form counts as hidden, not as drift", async () => {
  await using on = await stage({ variants: { maskedConfigs: "digest" } });
  const { id, state } = await brought(on);
  expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: complete, state });
  const now = { ...complete, configs: { ...complete.configs, region: "us" } };
  await on.operation().tenant.update(id, state, now);
  expect((await on.tenant(id)).configs).toEqual(now.configs);
});

function expectNoMaskSent(on: Stage) {
  expect(JSON.stringify(on.writes())).not.toContain("***");
}
