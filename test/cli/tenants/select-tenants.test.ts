import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/index.ts";
import { type Selection, selectTenants, tenantsByIntegration } from "../../../src/cli/tenants/select-tenants.ts";
import { createEmulator, type Variants, variantValues } from "../../../src/emulator/index.ts";
import { createOperationContext } from "../../../src/operation/operation-context.ts";
import { ownRunWords } from "../../own-run-words.ts";
import { testShell } from "../test-shell.ts";
import { someTenants } from "./some-tenants.ts";

async function start(variants: Partial<Variants> = {}) {
  const emulator = await createEmulator({ seed: someTenants, clock: "manual", variants });
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey, backoffSeconds: { first: 0, max: 0 } });
  const operation = () => ({
    ...createOperationContext({ client, warn: () => {}, runWords: ownRunWords }),
    shell: testShell().shell,
  });
  const select = async (selection: Partial<Selection> = {}) => {
    const selected = await selectTenants(operation(), { integration: "all", ...selection });
    return selected.map(({ fields }) => fields);
  };
  return {
    emulator,
    select,
    integrations: async () => (await tenantsByIntegration(operation(), "all")).map(({ scope }) => scope.record.name),
    names: async (where: string) => (await select({ where })).map(({ id }) => id),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await emulator.close();
    },
  };
}

describe("the fields of a tenant", () => {
  test("say what it runs, whether it is connected, and since when it fails", async () => {
    await using on = await start();
    const tenants = await on.select({ reads: { releases: true } });
    expect(tenants.map(({ integration, name }) => `${integration}/${name}`)).toEqual(
      ["acme", "broken", "gone", "newcomer", "unlucky"].map((name) => `billing/${name}`).concat("payroll/acme"),
    );
    const [acme, broken, gone, newcomer, unlucky] = tenants;
    expect(acme).toMatchObject({
      id: 1,
      connected: true,
      neverConnected: false,
      paused: false,
      failing: false,
      failingSince: null,
      schedule: "*/15 * * * *",
      release: { id: 11, tag: "v1.0.0", channel: null },
      lastRun: {
        id: 7,
        outcome: "succeeded",
        startedAt: "2026-05-29T10:00:00.000Z",
        endedAt: "2026-05-31T22:00:00.000Z",
        failed: false,
      },
      currentRun: null,
      configs: { region: "eu" },
    });
    expect(broken).toMatchObject({ failing: true, failingSince: "2026-05-29T10:00:00.000Z", schedule: "0 3 * * *" });
    expect(gone).toMatchObject({ connected: false, neverConnected: false, failing: false });
    expect(newcomer).toMatchObject({ connected: false, neverConnected: true, lastRun: null });
    expect(unlucky).toMatchObject({
      failing: true,
      failingSince: "2026-05-31T22:00:00.000Z",
      release: { id: 12, tag: "v2.0.0", channel: "Latest" },
    });
  });

  test("show the run that is under way", async () => {
    await using on = await start();
    const headers = { "x-api-key": on.emulator.apiKey };
    await fetch(`${on.emulator.url}/v2/tenants/2/sync?mode=normal`, { method: "POST", headers });
    await on.emulator.advance({ seconds: 1 });
    const [broken] = await on.select({ where: "currentRun.outcome == null and exists(currentRun.id)" });
    expect(broken).toMatchObject({ id: 2, failing: true, currentRun: { startedAt: "2026-06-01T00:00:01.000Z" } });
  });
});

describe("a selection", () => {
  test.each([
    ['metadata.plan == "gold" and release.tag != "v1.0.0"', [3]],
    ['release.channel == "Latest"', [3]],
    ["failing and not paused", [2]],
    ["neverConnected", [4]],
    ["lastRun.failed", [2, 3]],
    ["not lastRun.failed", [1, 5, 4, 6]],
    ['lastRun.outcome == "succeeded" and lastRun.endedAt < "2026-05-15"', [5]],
    ['integration == "payroll"', [6]],
    ["configs.size > 100", [1]],
    ["configs.size > 1000", []],
  ])("by %s", async (where, ids) => {
    await using on = await start();
    expect(await on.names(where)).toEqual(ids);
  });

  test("of all integrations has the live tenants of archived ones, and no archived one without live tenants", async () => {
    await using on = await start();
    const headers = { "x-api-key": on.emulator.apiKey, "content-type": "application/json" };
    const archive = (path: string) =>
      fetch(`${on.emulator.url}/_emulator/${path}`, { method: "PATCH", headers, body: '{"archived":true}' });
    await archive("integrations/102");
    on.emulator.fault({ kind: "status", status: 404, match: { path: "^/v2/integrations/102$" }, times: 99 });
    expect((await on.select()).map(({ integration, id }) => [integration, id])).toContainEqual(["payroll", 6]);
    expect(await on.integrations()).toEqual(["billing", "payroll"]);
    on.emulator.setVariants({ absentField: "integration_id" });
    expect(await on.integrations()).toEqual(["billing", "payroll"]);
    on.emulator.setVariants({ absentField: "none" });
    await archive("tenants/6");
    expect(await on.integrations()).toEqual(["billing"]);
  });

  test("reads no more than it needs", async () => {
    await using on = await start();
    const paths = async (selection: Partial<Selection>) => {
      on.emulator.clearRequests();
      await on.select(selection);
      return [...new Set(on.emulator.requests().map(({ path }) => path))];
    };
    expect(await paths({ integration: "billing", where: "paused" })).toEqual(["/v2/integrations", "/v2/tenants"]);
    expect(await paths({ where: 'release.tag == "v1.0.0"' })).toContain("/v2/integrations/101/releases");
    const metadata = await paths({ where: 'failing and metadata.plan == "gold"' });
    expect(metadata.filter((path) => path.endsWith("/metadata")).sort()).toEqual([
      "/v2/tenants/2/metadata",
      "/v2/tenants/3/metadata",
    ]);
  });
});

const everyVariant = Object.entries(variantValues).flatMap(([name, values]) =>
  values.map((value) => ({ name, value, variants: JSON.parse(JSON.stringify({ [name]: value })) })),
);

describe.each(everyVariant)("with the variant $name=$value", ({ name, value, variants }) => {
  const hides = (...fields: string[]) => name === "absentField" && fields.includes(value);

  test("what is shown of tenants is true or unknown", async () => {
    await using on = await start(variants);
    const tenants = new Map((await on.select({ reads: { releases: true } })).map((tenant) => [tenant.id, tenant]));
    const failing = [...tenants.values()].filter((tenant) => tenant.failing).map(({ id }) => id);
    expect(failing).toEqual(hides("status") ? [] : [2, 3]);
    expect(tenants.get(2)?.failingSince).toBe(hides("status") ? null : "2026-05-29T10:00:00.000Z");
    expect([...tenants.values()].filter(({ paused }) => paused).map(({ id }) => id)).toEqual([4, 3]);
    const [acme, newcomer, unlucky] = [tenants.get(1), tenants.get(4), tenants.get(3)];
    expect([acme?.connected, acme?.neverConnected]).toEqual([
      hides("status") ? null : expect.toBeOneOf([true, null]),
      false,
    ]);
    expect(newcomer?.connected).toBeOneOf([false, null]);
    expect(newcomer?.neverConnected).toBe(newcomer?.connected === false);
    expect(acme?.release.tag).toBe(hides("release", "integration_release_id") ? null : "v1.0.0");
    expect(unlucky?.release.tag).toBe(hides("release") ? null : "v2.0.0");
  });

  test("metadata select the same tenants", async () => {
    await using on = await start(variants);
    expect(await on.names('metadata.plan == "gold"')).toEqual([1, 3]);
  });
});
