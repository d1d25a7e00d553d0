import { describe, expect, test } from "vitest";
import { functions } from "../../src/lookups/functions.ts";
import * as lookups from "../../src/lookups/index.ts";
import { call } from "../emulator/running-emulator.ts";
import { failureOf } from "../failure-of.ts";
import { type Stage, stage } from "../resources/stage.ts";
import { variantsForImport } from "../resources/variants-for-import.ts";

const secret = "plain-secret-7f3a";
const acme = {
  integration: "crm-to-billing",
  name: "acme",
  configs: { region: "eu", api_token: secret, login: { user: "u", password: secret } },
  metadata: { plan: "gold", api_key: secret },
};

test("each lookup of a program is a function of the plugin", () => {
  const ofPrograms = Object.keys(lookups).filter((name) => !name.endsWith("Output"));
  expect(Object.keys(functions).sort()).toEqual(ofPrograms.sort());
  for (const [name, lookup] of Object.entries(functions)) expect(lookup.name).toBe(name);
});

describe("results", () => {
  test.each(Object.keys(functions))("%s: consists of JSON values, and only reads", async (name) => {
    await using on = await stage({ clock: "manual" });
    const result = await invoke(on, name, await argsOf(on, name));
    expect(JSON.parse(JSON.stringify(result))).toStrictEqual(result);
    expect(on.writes().filter(({ request }) => !/_emulator|sync/.test(request))).toEqual([]);
  });

  test("show what the platform has", async () => {
    await using on = await stage();
    const tenantId = await on.add(acme);
    const { body } = await call(on.emulator, "GET", "/v2/tenants");
    const [live] = Array.isArray(body) ? body : [];
    expect(await invoke(on, "getTenant", { id: tenantId })).toMatchObject({
      tenantId,
      name: "acme",
      configs: live.configs,
    });
    expect(await invoke(on, "getTenantMetadata", { tenantId })).toEqual({ tenantId, data: acme.metadata });
    expect(await invoke(on, "getTenantRelease", { tenantId })).toMatchObject({ releaseId: 901, tag: "v1.0.0" });
    expect(await invoke(on, "getIntegration", { name: "crm-to-billing" })).toMatchObject({ integrationId: 101 });
  });

  test("see what the same operation has written", async () => {
    await using on = await stage();
    const { context, tenant } = on.operation();
    await functions.getTenants.invoke(context, { integration: 101 });
    const { id, state } = await tenant.create({ integration: 101, name: "acme", configs: { region: "eu" } });
    await tenant.update(id, state, { integration: 101, name: "acme", configs: { region: "us" } });
    const found = await functions.getTenant.invoke(context, { integration: 101, name: "acme" });
    expect(found).toMatchObject({ tenantId: Number(id), configs: { region: "us" } });
  });
});

describe.concurrent.each(variantsForImport)("secrets in results, with the variants %j", (variants) => {
  test("each place that shows a secret is among the secret paths", async () => {
    await using on = await stage({ variants });
    await on.add({ ...acme, name: "without", configs: { region: "us" }, metadata: {} });
    const tenantId = await on.add(acme);
    const { context } = on.operation();
    const isHidden = variants.maskedConfigs !== undefined && variants.maskedConfigs !== "no";
    const token = variants.maskedConfigs === "left-out" ? [] : [["configs", "api_token"]];

    const one = await functions.getTenant.invokeWithSecrets(context, { id: tenantId });
    expect(JSON.stringify(one.result).includes(`"api_token":"${secret}"`)).toBe(!isHidden);
    expect(one.secretPaths).toEqual([...token, ["configs", "login"]]);

    const all = await functions.getTenants.invokeWithSecrets(context, { integration: 101 });
    const inList = [...token, ["configs", "login"]].map((path) => ["tenants", "1", ...path]);
    expect(all.secretPaths).toEqual(inList);

    const metadata = await functions.getTenantMetadata.invokeWithSecrets(context, { tenantId });
    expect(metadata.secretPaths).toEqual([["data", "api_key"]]);
  });
});

test("what looks like a secret in the records of a tenant's runs is one", async () => {
  await using on = await stage();
  const last_run = { id: "r", status: { phase: "failed" }, callback: "https://u:pw@host/", payload: { token: secret } };
  const status = { last_run, current_run: { api_key: secret }, last_successful_run: { id: "r", bearer: secret } };
  const tenantId = await on.add({ ...acme, configs: {}, status });
  const { context } = on.operation();
  const { result, secretPaths } = await functions.getTenant.invokeWithSecrets(context, { id: tenantId });
  expect(result).toMatchObject({ lastRun: { payload: { token: secret } } });
  expect(secretPaths).toEqual([
    ["lastRun", "callback"],
    ["lastRun", "payload"],
    ["currentRun", "api_key"],
    ["lastSuccessfulRun", "bearer"],
  ]);
});

test("no other result has secrets", async () => {
  await using on = await stage();
  const { context } = on.operation();
  const release = await functions.getRelease.invokeWithSecrets(context, { integration: 101, tag: "v1.0.0" });
  expect(release.secretPaths).toEqual([]);
});

describe("errors are in plain words and begin with the function", () => {
  test.each<[string, object, RegExp]>([
    ["getTenant", {}, /^getTenant: must have either id, or integration and name$/],
    ["getTenant", { id: "5001" }, /^getTenant: id must be the id of a tenant: remove the quotes$/],
    ["getTenant", { idd: 5001 }, /^getTenant: .*idd/],
    ["getTenant", { id: 7 }, /^getTenant: there is no live tenant with id 7/],
    ["getIntegration", { name: "crm-to-biling" }, /^getIntegration: .*did you mean "crm-to-billing"/],
    ["getRelease", { integration: 101, tag: "v1.0.1" }, /^getRelease: .*no release with tag "v1.0.1"/],
    ["getRunLog", { runId: 7 }, /^getRunLog: .*404/],
    ["getTriggerStatus", {}, /^getTriggerStatus: triggerId is required; it must be a string$/],
  ])("%s of %j", async (name, args, message) => {
    await using on = await stage();
    expect((await failureOf(invoke(on, name, args))).message).toMatch(message);
  });
});

/** Invokes a function in a new operation, as the plugin does. */
async function invoke(on: Stage, name: string, args: object): Promise<object> {
  const [, lookup] = Object.entries(functions).find(([known]) => known === name) ?? [];
  if (lookup === undefined) throw new Error(`there is no function ${name}`);
  return lookup.invoke(on.operation().context, args);
}

/** Valid arguments of each function, for a tenant that has run. */
async function argsOf(on: Stage, name: string): Promise<object> {
  const tenantId = await on.add(acme);
  const { body } = await call(on.emulator, "POST", `/v2/tenants/${tenantId}/sync?mode=normal`);
  await on.emulator.advance({ seconds: 60 });
  const { body: runs } = await call(on.emulator, "GET", "/_emulator/runs");
  const [run] = Array.isArray(runs) ? runs : [];
  const args: Record<string, object> = {
    getIntegration: { id: 101 },
    getIntegrations: {},
    getRelease: { integration: "crm-to-billing", channel: "Latest" },
    getReleases: { integration: 101 },
    getRunLog: { runId: run?.id },
    getTenant: { integration: 101, name: "acme" },
    getTenantMetadata: { tenantId },
    getTenantRelease: { tenantId },
    getTenants: { integration: 101 },
    getTriggerStatus: { triggerId: Object(body).trigger_id },
  };
  return args[name] ?? {};
}
