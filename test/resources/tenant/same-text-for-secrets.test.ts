import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { failureOf, stageShowing } from "../stage.ts";

// On this platform reads show the same text in place of each pin, and nothing tells that text from a value.

function showingTheSame(variants: Partial<Variants> = {}) {
  const password = { type: "string", format: "password" };
  const auth = { type: "object", properties: { user: { type: "string" }, pin: password } };
  const properties = { region: { type: "string" }, token: password, auth, accounts: { type: "array", items: auth } };
  const releases = [{ id: 2, name: "v1", config_schema: { properties } }];
  const seed = { integrations: [{ id: 1, name: "vault", default_release_id: 2, releases }] };
  return stageShowing((body) => body.replaceAll(/"pin":"[^"]*"/g, '"pin":"set by us"'), { seed, variants });
}

const base = { integration: "vault", name: "acme" };
const auth = { user: "ada", pin: "1234-5678" };
const bob = { ...auth, user: "bob" };

test.each([
  ["beside another key", { region: "eu", auth }, { region: "us", auth }],
  ["beside a part of its key", { region: "eu", auth }, { region: "eu", auth: bob }],
  ["beside a part of its key, and a secret that reads show", { token: "t0ken", auth }, { token: "t0ken", auth: bob }],
  ["in a list that grows", { accounts: [auth] }, { accounts: [auth, { user: "bob" }] }],
])("a secret that nobody changes needs no look, %s", async (_, before, now) => {
  await using on = await showingTheSame();
  const { id, state } = await on.operation().tenant.create({ ...base, configs: before });
  on.warnings.length = 0;
  const after = await on.operation().tenant.update(id, state, { ...base, configs: now });
  expect(after.configs).toEqual(now);
  expect(on.warnings.filter((one) => one.includes("reads show the same"))).toEqual([]);
});

test("a secret may change while another key is removed that needs null", async () => {
  await using on = await showingTheSame({ configs: "merge-patch" });
  const { id, state } = await on.operation().tenant.create({ ...base, configs: { region: "eu", auth } });
  const now = { auth: { pin: "8765-4321" } };
  const after = await on.operation().tenant.update(id, state, { ...base, configs: now });
  expect(after.configs).toEqual(now);
  expect((await on.tenant(id)).configs).toEqual(now);
});

describe("a secret can be rotated whose text in reads never changes", () => {
  const before = { pin: "1234-5678" };
  const now = { pin: "8765-4321" };

  test.each([
    ["alone", {}],
    ["beside a secret that reads show", { token: "t0ken-of-acme" }],
    ["beside an empty secret", { token: "" }],
  ])("%s", async (_, others) => {
    await using on = await showingTheSame();
    const auth = (one: object) => ({ ...base, configs: { ...others, auth: { user: "ada", ...one } } });
    const { id, state } = await on.operation().tenant.create(auth(before));
    const after = await on.operation().tenant.update(id, state, auth(now));
    expect(after.configs).toEqual(auth(now).configs);
    expect((await on.tenant(id)).configs).toEqual(auth(now).configs);
    expect(on.warnings.filter((one) => one.includes("reads show the same"))).toEqual([]);
  });

  test("in a fleet, beside another tenant whose secret reads show", async () => {
    await using on = await showingTheSame();
    const fleet = (auth: object, token: string) => ({
      name: "billing",
      integration: "vault",
      tenants: { acme: { configs: { auth: { ...auth } } }, beta: { configs: { token } } },
    });
    const made = await on.operation().fleet.create(fleet(before, "t0ken-of-beta"));
    const after = await on.operation().fleet.update(made.id, made.state, fleet(now, "another-t0ken"));
    expect(after.tenants.acme?.configs).toEqual({ auth: now });
  });
});

test.each([
  ["for the first time", {}],
  ["again", { auth: { pin: "1234-5678" } }],
])("a secret that was written %s stays managed if another write of the update is refused", async (_, first) => {
  await using on = await showingTheSame();
  const { id, state } = await on.operation().tenant.create({ ...base, configs: { region: "eu", ...first } });
  await on.changeByHand(id, { configs: { region: "eu", auth: { pin: "of somebody" } } });
  const now = { ...base, configs: { region: "eu", auth: { pin: "8765-4321" } }, metadata: { plan: "gold" } };
  on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH", path: `/v2/tenants/${id}/metadata` } });
  const failure = await failureOf(on.operation().tenant.update(id, state, now));
  const failed = tenantStateSchema.parse(Object(failure).state);
  on.emulator.clearFaults();
  expect((await on.tenant(id)).configs).toEqual(now.configs);
  const without = { ...base, configs: { region: "eu" } };
  expect(await on.operation().tenant.diff(id, failed, without)).toEqual({ isChanged: true });
  await on.operation().tenant.update(id, failed, without);
  expect((await on.tenant(id)).configs).toEqual(without.configs);
});
