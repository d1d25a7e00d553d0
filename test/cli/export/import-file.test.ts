import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { runCli } from "../run-cli.ts";

const hostileName = 'a: "b" #\u2028\n- c';
const fileSchema = z.strictObject({
  resources: z.array(
    z.strictObject({ type: z.string(), name: z.string(), logicalName: z.string().optional(), id: z.string() }),
  ),
});

let emulator: Emulator;
const run = (...args: string[]) => runCli(emulator, ["export", "--format", "import", ...args]);

beforeAll(async () => {
  const tenant = (integration: number, name: string, more = {}) => ({ integration, name, ...more });
  emulator = await createEmulator({
    seed: {
      integrations: [
        { id: 1, name: "billing" },
        { id: 2, name: "Bílling" },
        { id: 3, name: "empty" },
      ],
      tenants: [
        tenant(1, "acme", { configs: { api_key: "plain-secret-7f3a" } }),
        tenant(1, "Twin"),
        tenant(1, "Twin"),
        tenant(1, "twin-5002"),
        tenant(1, hostileName),
        tenant(1, "__proto__"),
        tenant(1, "7-eleven"),
        tenant(2, "acme"),
        tenant(2, "東京"),
        tenant(2, "gone", { archived: true }),
      ],
    },
  });
});
afterAll(() => emulator.close());

describe("export --format import", () => {
  test("writes a file for `pulumi import --file`, with each live tenant by its id", async () => {
    const { code, stdout, stderr } = await run("--integration", "billing");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      resources: [
        { type: "integration-platform:index:Tenant", name: "tenant-7-eleven", logicalName: "7-eleven", id: "5007" },
        { type: "integration-platform:index:Tenant", name: "Twin-5002", id: "5002" },
        { type: "integration-platform:index:Tenant", name: "Twin-5003", id: "5003" },
        { type: "integration-platform:index:Tenant", name: "proto-5006", logicalName: "__proto__-5006", id: "5006" },
        { type: "integration-platform:index:Tenant", name: "a-b-c", logicalName: hostileName, id: "5005" },
        { type: "integration-platform:index:Tenant", name: "acme", id: "5001" },
        { type: "integration-platform:index:Tenant", name: "twin-5002-2", logicalName: "twin-5002", id: "5004" },
      ],
    });
  });

  test("gives all resources different names, which are words", async () => {
    const { resources } = fileSchema.parse(JSON.parse((await run("--integration", "all")).stdout));
    expect(resources.map(({ id }) => id).sort()).toEqual(
      ["5001", "5002", "5003", "5004", "5005", "5006", "5007", "5008", "5009"].sort(),
    );
    const names = resources.map(({ name }) => name.toLowerCase());
    expect(new Set(names).size).toBe(resources.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(new Set(resources.map(({ name, logicalName = name }) => logicalName)).size).toBe(resources.length);
  });

  test("--as fleets: writes a fleet for each integration with tenants, by the id of the integration", async () => {
    const { code, stdout } = await run("--integration", "all", "--as", "fleets");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      resources: [
        { type: "integration-platform:index:TenantFleet", name: "billing-2", id: "2/billing-2" },
        { type: "integration-platform:index:TenantFleet", name: "billing-1", id: "1/billing-1" },
      ],
    });
  });

  test("reads neither the settings nor the metadata of a tenant, as the import does it", async () => {
    emulator.clearRequests();
    const { stdout, stderr } = await run("--integration", "billing");
    expect(stdout + stderr).not.toMatch(/plain-secret|api_key/);
    const requests = emulator.requests().map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(requests)].sort()).toEqual(["GET /v2/integrations", "GET /v2/tenants"]);
  });

  test("an integration without live tenants has no resources", async () => {
    expect(JSON.parse((await run("--integration", "empty")).stdout)).toEqual({ resources: [] });
  });

  test("an unknown integration is an error with a suggestion", async () => {
    const { code, stdout, stderr } = await run("--integration", "biling");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/there is no integration named "biling".*billing/);
  });

  test("takes no files of tenants", async () => {
    const { code, stderr } = await run("--integration", "all", "--as", "fleets", "--tenants-to", "tenants");
    expect(code).toBe(64);
    expect(stderr).toContain("requires --as fleets and --format yaml");
  });

  test("--as fleets takes no selection, as the import of a fleet imports all tenants of its integration", async () => {
    const selection = ["--integration", "billing", "--as", "fleets", "--where", 'name == "acme"'];
    const { code, stdout, stderr } = await run(...selection);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain("'--where <expression>' does not work with --as fleets and --format import");
    expect(await run(...selection, "--json")).toMatchObject({ code: 0 });
  });
});
