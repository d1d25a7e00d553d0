import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { call, sync } from "../emulator/running-emulator.ts";
import { failureOf } from "../failure-of.ts";
import { sha256OfJson } from "../receiver/sha256.ts";
import { readOutput, startProgram } from "./program.ts";

const apiKey = "plain-key-5d21";

beforeEach(() => {
  vi.stubEnv("INTEGRATION_PLATFORM_BASE_URL", undefined);
  vi.stubEnv("INTEGRATION_PLATFORM_API_KEY", undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe("integrations", () => {
  test("are found by name and by id", async () => {
    await using on = await startProgram();
    const { getIntegration } = on.lookups;
    const byName = await getIntegration({ name: "crm-to-billing" });
    expect(byName).toEqual({
      integrationId: 101,
      name: "crm-to-billing",
      longName: "CRM to billing",
      type: "Internal",
      connectors: [
        { name: "crm", isGlobal: false },
        { name: "billing", isGlobal: false },
        { name: "exchange-rates", isGlobal: true },
      ],
      trackingBranch: "main",
      defaultReleaseId: 901,
    });
    expect(await getIntegration({ id: 101 })).toEqual(byName);
    expect(await getIntegration({ id: 102 })).toMatchObject({ defaultReleaseChannel: "Latest" });
  });

  test("are listed all at once", async () => {
    await using on = await startProgram();
    const { integrations } = await on.lookups.getIntegrations();
    expect(integrations.map(({ name }) => name)).toEqual(["crm-to-billing", "shop-to-erp", "hr-to-payroll"]);
  });
});

describe("releases", () => {
  test.each<[string, object, number]>([
    ["id", { id: 902 }, 902],
    ["tag", { tag: "v1.0.0" }, 901],
    ["the channel Default", { channel: "Default" }, 901],
    ["the channel Latest", { channel: "Latest" }, 902],
  ])("are found by %s", async (_, way, releaseId) => {
    await using on = await startProgram();
    const release = await on.lookups.getRelease({ integration: "crm-to-billing", ...way });
    const { body } = await call(on.emulator, "GET", `/v2/integrations/101/releases/${releaseId}`);
    expect(release).toMatchObject({
      releaseId,
      integrationId: 101,
      configVersion: "0.4",
      configSchema: { properties: { region: {} } },
      configSchemaDigest: sha256OfJson(Object(body).config_schema.schema),
    });
  });

  test("are listed, of an integration by id", async () => {
    await using on = await startProgram();
    const { releases } = await on.lookups.getReleases({ integration: 102 });
    expect(releases.map(({ tag }) => tag).sort()).toEqual(["v2.0.0", "v2.1.0"]);
  });
});

describe("tenants", () => {
  const acme = {
    integration: "crm-to-billing",
    name: "acme",
    user_schedule: "0 1 * * *",
    configs: { region: "eu" },
    metadata: { plan: "gold" },
  };

  test("are found by id, and by integration and name", async () => {
    await using on = await startProgram();
    const id = await on.add(acme);
    const byId = await on.lookups.getTenant({ id });
    expect(byId).toMatchObject({
      tenantId: id,
      integrationId: 101,
      name: "acme",
      paused: false,
      schedule: "0 1 * * *",
      effectiveSchedule: "0 1 * * *",
      releaseId: 901,
      configs: { region: "eu" },
      source: "marketplace",
      isConnected: true,
    });
    expect(await on.lookups.getTenant({ integration: "crm-to-billing", name: "acme" })).toEqual(byId);
  });

  test("are listed by integration, by their ids", async () => {
    await using on = await startProgram();
    for (const name of ["b", "a"]) await on.add({ ...acme, name });
    await on.add({ integration: "shop-to-erp", name: "c" });
    const { tenants } = await on.lookups.getTenants({ integration: "crm-to-billing" });
    expect(tenants.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  test("that were created in the meantime are found too", async () => {
    await using on = await startProgram();
    await on.lookups.getTenants({ integration: 101 });
    const id = await on.add(acme);
    expect(await on.lookups.getTenant({ id })).toMatchObject({ name: "acme" });
    await on.add({ ...acme, name: "later" });
    expect(await on.lookups.getTenant({ integration: 101, name: "later" })).toMatchObject({ name: "later" });
  });

  test("have a release and metadata", async () => {
    await using on = await startProgram();
    const tenantId = await on.add({ ...acme, integration_release_id: 902 });
    expect(await on.lookups.getTenantRelease({ tenantId })).toMatchObject({ releaseId: 902, tag: "v1.1.0" });
    expect(await on.lookups.getTenantMetadata({ tenantId })).toEqual({ tenantId, data: { plan: "gold" } });
  });

  test("have a release even if the platform sends it in another form", async () => {
    await using on = await startProgram();
    const tenantId = await on.add({ ...acme, integration_release_channel: "Latest", integration_release_id: null });
    on.emulator.fault({ kind: "status", status: 200, body: {}, match: { path: "/release$" } });
    expect(await on.lookups.getTenantRelease({ tenantId })).toMatchObject({ releaseId: 902 });
  });

  test("have the release that they run now, even if the platform sends it in another form and no list shows it", async () => {
    await using on = await startProgram();
    const tenantId = await on.add({ ...acme, integration_release_id: 901 });
    on.emulator.fault({ kind: "status", status: 200, body: {}, match: { path: "/tenants/[0-9]+/release$" } });
    on.emulator.fault({ kind: "status", status: 200, body: [], match: { path: "/integrations/101/releases$" } });
    expect(await on.lookups.getTenantRelease({ tenantId })).toMatchObject({ releaseId: 901 });
    await on.changeByHand(tenantId, { integration_release_id: 902 });
    expect(await on.lookups.getTenantRelease({ tenantId })).toMatchObject({ releaseId: 902 });
  });

  test("whose release the platform does not report have no known one", async () => {
    await using on = await startProgram({ variants: { absentField: "release" } });
    const tenantId = await on.add({ ...acme, integration_release_id: 902 });
    on.emulator.fault({ kind: "status", status: 200, body: {}, match: { path: "/tenants/[0-9]+/release$" } });
    await expect(on.lookups.getTenantRelease({ tenantId })).rejects.toThrow(
      "the platform does not report the release of tenant",
    );
  });

  test("without metadata have none, in every variant of the platform", async () => {
    await using on = await startProgram({ variants: { metadataWhenNone: "missing" } });
    const tenantId = await on.add({ integration: 101, name: "bare" });
    expect(await on.lookups.getTenantMetadata({ tenantId })).toEqual({ tenantId, data: {} });
  });
});

describe("a sync", () => {
  test("has the outcome that the stack's config gives its status", async () => {
    const config = { "integration-platform:succeededStatuses": '["processed"]' };
    await using on = await startProgram({ clock: "manual", variants: { statusWords: "processed" } }, config);
    const tenantId = await on.add({ integration: 101, name: "acme", user_name: "user-1" });
    const triggerId = await sync(on.emulator, tenantId);
    await on.emulator.advance({ seconds: 60 });
    const { getTriggerStatus } = on.lookups;
    expect(await getTriggerStatus({ triggerId })).toEqual({ triggerId, status: "Processed", outcome: "succeeded" });
    expect(await getTriggerStatus({ triggerId, failedStatuses: ["Processed"] })).toMatchObject({ outcome: "failed" });
  });

  test("has no status, then one, and a log once it has run", async () => {
    await using on = await startProgram({ clock: "manual" });
    const tenantId = await on.add({ integration: 101, name: "acme", user_name: "user-1" });
    const triggerId = await sync(on.emulator, tenantId);
    const { getTriggerStatus } = on.lookups;
    expect(await getTriggerStatus({ triggerId })).toEqual({ triggerId, outcome: "unknown" });
    await on.emulator.advance({ seconds: 2 });
    expect(await getTriggerStatus({ triggerId })).toEqual({ triggerId, status: "running", outcome: "unknown" });
    await on.emulator.advance({ seconds: 10 });
    expect(await getTriggerStatus({ triggerId })).toEqual({ triggerId, status: "succeeded", outcome: "succeeded" });
    expect(await getTriggerStatus({ triggerId, failedStatuses: ["succeeded"] })).toMatchObject({ outcome: "failed" });

    const { lastRun } = await on.lookups.getTenant({ id: tenantId });
    const runId = Number(lastRun.id);
    expect(await on.lookups.getRunLog({ runId })).toMatchObject({
      runId,
      log: expect.stringContaining("reading contacts"),
    });
  });
});

describe("an unknown name is an error with suggestions", () => {
  test.each<[string, (lookups: Awaited<ReturnType<typeof startProgram>>["lookups"]) => Promise<unknown>, RegExp]>([
    [
      "integration",
      (on) => on.getIntegration({ name: "crm-to-biling" }),
      /^getIntegration: .*did you mean "crm-to-billing"/,
    ],
    ["integration by id", (on) => on.getIntegration({ id: 100 }), /no integration with id 100/],
    [
      "release",
      (on) => on.getRelease({ integration: 101, tag: "v1.0.1" }),
      /^getRelease: .*did you mean "v1\.[01]\.0"/,
    ],
    ["release by id", (on) => on.getRelease({ integration: 101, id: 1 }), /no release with id 1;/],
    [
      "tenant",
      (on) => on.getTenant({ integration: 101, name: "acmee" }),
      /no live tenant named "acmee"; did you mean "acme"/,
    ],
    ["tenant by id", (on) => on.getTenant({ id: 5002 }), /no live tenant with id 5002/],
    [
      "metadata",
      (on) => on.getTenantMetadata({ tenantId: 7 }),
      /^getTenantMetadata: there is no live tenant with id 7/,
    ],
    ["release of a tenant", (on) => on.getTenantRelease({ tenantId: 7 }), /^getTenantRelease: there is no live/],
    ["run", (on) => on.getRunLog({ runId: 7 }), /^getRunLog: .*\/v2\/runs\/7\/log.*404/],
    [
      "two ways",
      (on) => on.getTenant({ id: 1, name: "acme" }),
      /getTenant: must have either id, or integration and name/,
    ],
    ["no way", (on) => on.getRelease({ integration: 101 }), /getRelease: must have exactly one of id, tag and channel/],
  ])("%s", async (_, look, message) => {
    await using on = await startProgram();
    await on.add({ integration: 101, name: "acme" });
    const failure = await failureOf(look(on.lookups));
    expect(failure.message).toMatch(message);
    expect(pulumi.RunError.isInstance(failure)).toBe(true);
  });

  test("for several tenants with the same name, their ids", async () => {
    await using on = await startProgram();
    const ids = [await on.add({ integration: 101, name: "twin" }), await on.add({ integration: 101, name: "twin" })];
    const failure = await failureOf(on.lookups.getTenant({ integration: 101, name: "twin" }));
    expect(failure.message).toContain(`(ids ${ids.join(", ")}); use the id instead`);
  });
});

describe("the Output forms", () => {
  test("take outputs of resources", async () => {
    await using on = await startProgram();
    const { value } = await readOutput(
      on.lookups.getReleaseOutput({ integration: pulumi.output("crm-to-billing"), tag: "v1.0.0" }),
    );
    expect(value).toMatchObject({ releaseId: 901 });
    const { value: all } = await readOutput(on.lookups.getIntegrationsOutput());
    expect(all.integrations).toHaveLength(3);
  });

  test("are secret if an argument is secret", async () => {
    await using on = await startProgram();
    const looked = on.lookups.getIntegrationOutput({ name: pulumi.secret("crm-to-billing") });
    expect((await readOutput(looked)).isSecret).toBe(true);
  });
});

describe("one client and one snapshot for the program", () => {
  test("read the lists once for all callers", async () => {
    await using on = await startProgram();
    const { getIntegration, getRelease, getReleases, getTenants, getTenant } = on.lookups;
    await on.add({ integration: 101, name: "acme" });
    on.emulator.clearRequests();
    await Promise.all([getIntegration({ id: 101 }), getIntegration({ id: 102 }), getReleases({ integration: 101 })]);
    await Promise.all([getRelease({ integration: 101, id: 901 }), getTenants({ integration: 101 })]);
    await Promise.all([getTenants({ integration: 101 }), getTenant({ integration: 101, name: "acme" })]);
    expect(
      on.emulator
        .requests()
        .filter(({ query }) => Number(query.skip ?? 0) === 0) // a second page shows that a short first one was the last
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["/v2/integrations", "/v2/integrations/101/releases", "/v2/tenants"]);
  });

  test("the environment wins over the config", async () => {
    await using on = await startProgram({ apiKey }, { "integration-platform:apiKey": "outdated" });
    vi.stubEnv("INTEGRATION_PLATFORM_API_KEY", apiKey);
    expect(await on.lookups.getIntegration({ id: 101 })).toMatchObject({ name: "crm-to-billing" });
  });

  test("a wrong or missing key is an error that does not contain the key", async () => {
    await using on = await startProgram({ apiKey: "another" }, { "integration-platform:apiKey": apiKey });
    const wrong = await failureOf(on.lookups.getIntegration({ id: 101 }));
    expect(wrong.message).toMatch(/^getIntegration: .*403/);
    expect(wrong.message + wrong.stack).not.toContain(apiKey);
    await using bare = await startProgram({}, { "integration-platform:apiKey": "" });
    const none = await failureOf(bare.lookups.getIntegrations());
    expect(none.message).toMatch(/no API key.*INTEGRATION_PLATFORM_API_KEY/);
  });
});

test("only read", async () => {
  await using on = await startProgram();
  const tenantId = await on.add({ integration: 101, name: "acme" });
  on.emulator.clearRequests();
  await on.lookups.getTenant({ id: tenantId });
  await on.lookups.getTenantRelease({ tenantId });
  expect(on.writes()).toEqual([]);
  expect((await call(on.emulator, "GET", "/v2/tenants")).status).toBe(200);
});
