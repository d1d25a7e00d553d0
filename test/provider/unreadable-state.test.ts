import { describe, expect, test } from "vitest";
import { failureOf } from "../failure-of.ts";
import { complete } from "../resources/stage.ts";
import { changedInputs } from "./host-kinds.ts";
import { stagedHost } from "./staged-host.ts";

const seed = {
  integrations: [
    {
      id: 101,
      name: "crm-to-billing",
      connectors: [{ name: "crm", isGlobal: false }],
      releases: [
        { id: 901, name: "one", tag: "v1.0.0", config_version: "1" },
        { id: 902, name: "untagged", tag: "", config_version: "1" },
      ],
    },
  ],
};

describe.concurrent("the state after a read can be read again, updated and deleted", () => {
  test.each([
    ["an empty schedule", { user_schedule: "" }, { schedule: "none" }],
    ["a release with an empty tag", { integration_release_id: 902 }, { release: { id: 902 } }],
    ["an empty name", { name: "" }, { name: "", declaredName: "acme" }],
  ])("%s", async (_, byHand, observed) => {
    await using staged = await stagedHost({}, { seed });
    const { on, host } = staged;
    const { id, properties } = await host.create(complete);
    await on.changeByHand(id, byHand);

    await using refresh = await staged.nextHost();
    const read = await refresh.read(id, properties);
    expect(read.properties).toEqual({ ...properties, ...observed });
    expect(await refresh.read(id, read.properties)).toEqual(read);
    // the engine compares the result of a refresh with the old state
    expect(await refresh.diff(id, properties, read.inputs ?? {})).toMatchObject({
      changes: changedInputs,
      replaces: [],
    });
    expect(await refresh.diff(id, read.properties, complete)).toMatchObject({ changes: changedInputs, replaces: [] });
    expect(await refresh.update(id, read.properties, complete)).toEqual(properties);

    await on.changeByHand(id, byHand);
    await using destroy = await staged.nextHost();
    await destroy.delete(id, read.properties);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });

  test("a schedule that was cleared by hand and then set again", async () => {
    await using staged = await stagedHost({}, { seed });
    const { id, properties } = await staged.host.create(complete);
    await staged.on.changeByHand(id, { user_schedule: "0 1 * * *" });
    await using refresh = await staged.nextHost();
    const read = await refresh.read(id, { ...properties, schedule: "" });
    expect(read.properties.schedule).toBe("0 1 * * *");
  });
});

const unreadable = {
  integration: {},
  name: 5,
  schedule: [],
  release: "v1",
  paused: "s3cret",
  configs: "s3cret",
  metadata: 7,
  adopt: "sometimes",
  forceArchive: "s3cret",
};

test("an unreadable state is reported by path without values, and does not prevent a delete", async () => {
  await using staged = await stagedHost();
  const { on, host } = staged;
  const { id, properties } = await host.create(complete);
  const broken = { ...properties, ...unreadable };
  const calls = [host.diff(id, broken, complete), host.read(id, broken), host.update(id, broken, complete)];
  for (const { message } of await Promise.all(calls.map(failureOf))) {
    expect(message).toMatch(
      new RegExp(`state of Tenant \\(id ${id}\\) cannot be read at .*configs.*pulumi state delete`),
    );
    expect(message).not.toContain("s3cret");
    for (const path of Object.keys(unreadable)) expect(message).toContain(path);
  }
  await using destroy = await staged.nextHost();
  await destroy.delete(id, broken);
  expect(await on.tenant(id)).toMatchObject({ archived: true });
});

test("a state without the id of its integration cannot be deleted, and the error names the path", async () => {
  await using staged = await stagedHost();
  const { id, properties } = await staged.host.create(complete);
  expect((await failureOf(staged.host.delete(id, { ...properties, integrationId: "101" }))).message).toMatch(
    /cannot be read at integrationId/,
  );
});

test("a fleet is deleted by the ids of its tenants", async () => {
  await using staged = await stagedHost({ member: "tenantFleet" });
  const { on, host } = staged;
  const inputs = { integration: "crm-to-billing", name: "billing", tenants: { acme: { metadata: { plan: "gold" } } } };
  const { id, properties } = await host.create(inputs);
  const [acme] = await on.live();
  const tenants = { acme: { schedule: 5, sync: "daily", configs: "s3cret", tenantId: acme?.id ?? 0 } };
  const broken = { ...properties, name: {}, limits: "all", tenants };
  expect((await failureOf(host.read(id, broken))).message).toMatch(/TenantFleet .*tenants\.acme\.schedule/);
  await using destroy = await staged.nextHost();
  await destroy.delete(id, broken);
  expect(await on.live()).toEqual([]);
});

test.each([
  ["the fleet", { retainOnDelete: "keep" }, {}],
  ["the tenant", {}, { retainOnDelete: "keep" }],
])("a fleet's tenant is not archived if retainOnDelete of %s cannot be read", async (_, ofFleet, ofTenant) => {
  await using staged = await stagedHost({ member: "tenantFleet" });
  const { on, host } = staged;
  const { id, properties } = await host.create({
    integration: "crm-to-billing",
    name: "billing",
    tenants: { acme: {} },
  });
  const [acme] = await on.live();
  const tenants = { acme: { ...ofTenant, tenantId: acme?.id ?? 0 } };
  await host.delete(id, { ...properties, ...ofFleet, tenants });
  expect(await on.live()).toMatchObject([{ id: acme?.id }]);
});

test("inputs of the wrong type that become known only after the preview have a readable error", async () => {
  await using staged = await stagedHost();
  const failure = await failureOf(staged.host.create({ ...complete, schedule: 5, configs: "s3cret", nmae: "acme" }));
  expect(failure.message).toMatch(/inputs of Tenant "acme" cannot be used: .*schedule must be a cron schedule/);
  expect(failure.message).toMatch(/nmae is not an input of a Tenant.*configs must be an object/);
  expect(failure.message).not.toMatch(/s3cret|"code"|\[/);
  expect(staged.on.writes()).toEqual([]);
});
