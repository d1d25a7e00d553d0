import { describe, expect, test } from "vitest";
import { functions } from "../../../src/lookups/functions.ts";
import { unlistedRelease } from "../../changed-answers.ts";
import { runCli } from "../../cli/run-cli.ts";
import { stage } from "../stage.ts";

// By its name and form, the value could be anything. The schema of release 901 marks it as a secret.
const district = "2603-hidden";
const config_schema = { properties: { district: { type: "string", format: "password" } } };
const seed = {
  integrations: [
    {
      id: 101,
      name: "billing",
      releases: [
        { id: 901, name: "one", config_schema, metadata_schema: config_schema },
        { id: 902, name: "two", config_schema: {} },
      ],
    },
  ],
  tenants: [901, 901, 902, 999].map((integration_release_id, index) => ({
    integration: "billing",
    name: `acme-${index}`,
    integration_release_id,
    configs: { region: "eu", district },
    metadata: { plan: "gold", district },
  })),
};
const shown = { region: "eu" };

describe("secrets of a tenant whose release no list shows", () => {
  test("export and status leave them out, and request the release once", async () => {
    await using proxy = await unlistedRelease(901);
    await using on = await stage({ seed });
    proxy.target = on.emulator.url;
    const platform = { url: proxy.url, apiKey: on.emulator.apiKey };
    for (const args of [
      ["export", "--integration", "billing", "--json"],
      ["status", "--integration", "billing", "--json", "--metadata"],
    ]) {
      on.emulator.clearRequests();
      const { code, stdout } = await runCli(platform, [...args, "--where", 'name != "acme-2" and name != "acme-3"']);
      expect(code).toBe(0);
      expect(stdout).toContain('"region": "eu"');
      expect(stdout).not.toContain(district);
      expect(on.emulator.requests().filter(({ path }) => path.endsWith("/releases/901"))).toHaveLength(1);
    }
  });

  test("imports leave them out, and lookups mark them as secrets", async () => {
    await using proxy = await unlistedRelease(901);
    await using on = await stage({ seed }, { baseUrl: proxy.url });
    proxy.target = on.emulator.url;
    const { context, tenant, metadata } = on.operation();
    expect((await tenant.import?.("5001"))?.inputs).toMatchObject({ configs: shown, metadata: { plan: "gold" } });
    expect((await metadata.import?.("5001"))?.inputs).toMatchObject({ data: { plan: "gold" } });
    const { secretPaths } = await functions.getTenant.invokeWithSecrets(context, { id: 5001 });
    expect(secretPaths).toEqual([["configs", "district"]]);
  });
});

test.each([404, 422])(
  "all values of a tenant count as secrets if the platform answers its release with %i",
  async (status) => {
    await using on = await stage({ seed });
    on.emulator.fault({ kind: "status", status, match: { path: "/releases/999$" } });
    for (const args of [["export"], ["status", "--metadata"]]) {
      const command = [...args, "--integration", "billing", "--json", "--where", 'name == "acme-3"'];
      const { code, stdout, stderr } = await runCli(on.emulator, command);
      expect(code).toBe(0);
      expect(stdout).toContain("acme-3");
      for (const value of [district, "eu", "gold"]) expect(stdout).not.toContain(`"${value}"`);
      expect(stderr).toContain(
        'integration "billing" has no release 999, which tenants run, so their configs and metadata all count as secrets',
      );
    }
    const { context, tenant } = on.operation();
    const { inputs } = (await tenant.import?.("5004")) ?? {};
    expect(inputs).not.toMatchObject({ configs: expect.anything() });
    const { secretPaths } = await functions.getTenantMetadata.invokeWithSecrets(context, { tenantId: 5004 });
    expect(secretPaths).toEqual([
      ["data", "plan"],
      ["data", "district"],
    ]);
  },
);

test("if a platform does not show the release of tenants, what any release marks is a secret", async () => {
  await using on = await stage({ seed, variants: { absentField: "release" } });
  const { inputs } = (await on.operation().tenant.import?.("5003")) ?? {};
  expect(inputs).toMatchObject({ configs: shown, metadata: { plan: "gold" } });
  expect(JSON.stringify(inputs)).not.toContain(district);
});

test("what the tenant's own release does not mark is no secret", async () => {
  await using on = await stage({ seed });
  const { inputs } = (await on.operation().tenant.import?.("5003")) ?? {};
  expect(inputs).toMatchObject({ configs: { region: "eu", district } });
});
