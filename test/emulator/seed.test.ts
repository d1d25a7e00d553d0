import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, readTenant, startEmulator } from "./running-emulator.ts";

function seedFile(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), "seed-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "seed.yaml");
  writeFileSync(path, content);
  return path;
}

describe("a seed", () => {
  test("is read from a YAML file", async () => {
    const seed = seedFile(`
integrations:
  - name: one
    default_release_channel: Latest
    releases: [{ id: 5, name: v1, tag: v1.0.0 }]
tenants:
  - integration: one
    name: Any Name
    paused: false
    user_schedule: whenever
    source: console
    configs: { a: 1 }
    metadata: { plan: gold }
    status: { last_run: { id: 7 }, auth: { connected: true } }
`);
    const emulator = await startEmulator({ seed });
    const { body } = await call(emulator, "GET", "/v2/tenants");
    expect(body).toMatchObject([
      {
        name: "Any Name",
        paused: false,
        schedule: "whenever",
        source: "console",
        configs: { a: 1 },
        integration_release_id: 5,
        status: { last_run: { id: 7 }, current_run: {}, auth: { connected: true } },
      },
    ]);
    const id = Object(body)[0].id;
    expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toMatchObject({ data: { plan: "gold" } });
  });

  test("may give a tenant an id, and name its integration by id", async () => {
    const emulator = await startEmulator({
      seed: { integrations: [{ id: 3, name: "three" }], tenants: [{ id: 77, integration: 3, name: "acme" }] },
    });
    expect(await readTenant(emulator, 77)).toMatchObject({ integration_id: 3, paused: true, source: "api" });
  });

  test("may have each null and each absent field that the specification allows", async () => {
    const emulator = await startEmulator({
      seed: {
        integrations: [
          { ...integrationOfNulls, id: 1, name: "nulls", releases: [{ id: 5, name: "v1", created_date: null }] },
          {
            id: 2,
            name: "absent",
            categories: [{ id: 1, name: "c", order_index: 1 }],
            tags: [{ id: 2, name: "t" }],
            flag: { id: 3, name: "f" },
          },
        ],
        tenants: [{ id: 77, integration: 1, name: "acme", metadata: null }],
      },
    });
    expect((await call(emulator, "GET", "/v2/integrations/1")).body).toMatchObject(integrationOfNulls);
    expect((await call(emulator, "GET", "/v2/integrations/1/releases/5")).body).toMatchObject({ created_date: null });
    expect((await call(emulator, "GET", "/v2/integrations/2")).body).toMatchObject({
      categories: [{ id: 1, name: "c", order_index: 1 }],
      tags: [{ id: 2, name: "t" }],
      flag: { id: 3, name: "f" },
    });
    const metadata = () => call(emulator, "GET", "/v2/tenants/77/metadata");
    expect(await metadata()).toMatchObject({ status: 200, body: { tenant_id: 77, data: null } });
    emulator.setVariants({ maskedConfigs: "yes" });
    expect((await metadata()).body).toMatchObject({ data: null });
    emulator.setVariants({ defaults: "absent" });
    expect((await metadata()).body).not.toHaveProperty("data");
    expect((await call(emulator, "GET", "/v2/integrations/1")).body).not.toHaveProperty("connectors");
  });

  test("may have connectors and metadata that are null: everything else works with them", async () => {
    const emulator = await startEmulator({
      seed: {
        integrations: [{ ...integrationOfNulls, id: 1, name: "nulls" }],
        tenants: [{ id: 77, integration: 1, name: "acme", metadata: null }],
      },
    });
    const created = await call(emulator, "POST", "/v2/tenants", { name: "globex", integration_id: 1 });
    expect(created.body).toMatchObject({ status: { auth: { connected: false, connectors: [] } } });
    expect(await call(emulator, "POST", "/_emulator/tenants/77/connectors/crm", { status: "connected" })).toMatchObject(
      { status: 404 },
    );
    expect((await call(emulator, "POST", "/v2/tenants/77/sync?mode=normal")).status).toBe(422);
    const proxied = await call(emulator, "POST", "/v2/tenants/77/connectors/crm/call", { method: "GET" });
    expect(proxied.status).toBe(422);
    for (const page of ["integrations", "integrations/1", "tenants", "tenants/77"]) {
      expect(await call(emulator, "GET", `/console/${page}`)).toMatchObject({ status: 200 });
    }
    expect((await call(emulator, "GET", "/_emulator/tenants/77")).body).toMatchObject({ metadata: null });
    const patched = await call(emulator, "PATCH", "/v2/tenants/77/metadata", { plan: "gold" });
    expect(patched.body).toMatchObject({ data: { plan: "gold" } });
    await call(emulator, "PATCH", "/_emulator/tenants/77", { metadata: null });
    expect((await call(emulator, "GET", "/v2/tenants/77/metadata")).body).toMatchObject({ data: null });
  });

  test("may be empty", async () => {
    const emulator = await startEmulator({ seed: seedFile("") });
    expect((await call(emulator, "GET", "/v2/integrations")).body).toEqual([]);
  });
});

/** An integration whose fields are null, as far as the specification allows it. */
const integrationOfNulls = {
  long_name: "Nulls",
  created_date: null,
  modified_date: null,
  connectors: null,
  repository_path: null,
  repository_tracking_branch: null,
  repository_url: null,
  categories: null,
  tags: null,
  flag: null,
  default_release_id: null,
  default_release_channel: null,
};

describe("an invalid seed", () => {
  test("is refused with every problem by line, column and path", async () => {
    const content = "integrations:\n  - name: one\n    conectors: []\n    default_schedule: often\n  - id: x\n";
    const failure = startEmulator({ seed: seedFile(content) });
    await expect(failure).rejects.toThrow(/The seed .*seed\.yaml is not valid:/);
    await expect(failure).rejects.toThrow(/2:5 integrations\[0\]: .*"conectors"/);
    await expect(failure).rejects.toThrow(/4:23 integrations\[0\]\.default_schedule: must be a valid cron string/);
    await expect(failure).rejects.toThrow(/5:9 integrations\[1\]\.id/);
    await expect(failure).rejects.toThrow(/5:5 integrations\[1\]\.name/);
  });

  test.each([
    ["invalid YAML", seedWith("integrations: ["), /The seed .*seed\.yaml is not valid YAML: .*line 1/s],
    ["a missing file", () => "/nowhere/seed.yaml", /\/nowhere\/seed\.yaml cannot be read/],
    ["a list", seedWith("- 1"), /is not valid:\n.*expected object, received array/],
  ])("is refused: %s", async (_what, path, message) => {
    await expect(startEmulator({ seed: path() })).rejects.toThrow(message);
  });

  test.each([
    [{ tenants: [{ integration: "none", name: "a" }] }, 'tenants[0]: integration: there is no integration "none"'],
    [{ tenants: [{ name: "a" }] }, "tenants[0]: integration: pass the name or the id"],
    [{ integrations: [{ name: "a" }, { name: "a" }] }, 'integrations[1]: There is already an integration "a"'],
    [
      { integrations: [{ name: "a", default_release_id: 7 }] },
      "integrations[0]: default_release_id 7 is not one of the integration's releases",
    ],
    [
      {
        integrations: [
          {
            name: "a",
            releases: [
              { id: 1, name: "x" },
              { id: 1, name: "y" },
            ],
          },
        ],
      },
      "integrations[0]: releases[1]: There is already a release 1",
    ],
  ])("is refused as a whole: %j", async (seed, message) => {
    await expect(startEmulator({ seed })).rejects.toThrow(message);
  });
});

/** Writes the file when the test runs, so that the test can remove it. */
function seedWith(content: string): () => string {
  return () => seedFile(content);
}
