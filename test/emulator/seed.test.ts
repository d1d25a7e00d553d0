import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, readTenant, startEmulator } from "./running-emulator.ts";

function seedFile(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "seed-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "seed.yaml");
  writeFileSync(path, text);
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

  test("may hold a tenant by the integration's id, and with an id of its own", async () => {
    const emulator = await startEmulator({
      seed: { integrations: [{ id: 3, name: "three" }], tenants: [{ id: 77, integration: 3, name: "acme" }] },
    });
    expect(await readTenant(emulator, 77)).toMatchObject({ integration_id: 3, paused: true, source: "api" });
  });

  test("may be empty", async () => {
    const emulator = await startEmulator({ seed: seedFile("") });
    expect((await call(emulator, "GET", "/v2/integrations")).body).toEqual([]);
  });
});

describe("a wrong seed", () => {
  test("is refused with every problem by line, column and path", async () => {
    const text = "integrations:\n  - name: one\n    conectors: []\n    default_schedule: often\n  - id: x\n";
    const failure = startEmulator({ seed: seedFile(text) });
    await expect(failure).rejects.toThrow(/seed\.yaml is not a seed:/);
    await expect(failure).rejects.toThrow(/2:5 integrations\[0\]: .*"conectors"/);
    await expect(failure).rejects.toThrow(/4:23 integrations\[0\]\.default_schedule: must be a valid cron string/);
    await expect(failure).rejects.toThrow(/5:9 integrations\[1\]\.id/);
    await expect(failure).rejects.toThrow(/5:5 integrations\[1\]\.name/);
  });

  test.each([
    ["no YAML", seedText("integrations: ["), /seed\.yaml: .*line 1/s],
    ["no such file", () => "/nowhere/seed.yaml", /\/nowhere\/seed\.yaml cannot be read/],
    ["a list", seedText("- 1"), /is not a seed/],
  ])("is refused: %s", async (_what, path, message) => {
    await expect(startEmulator({ seed: path() })).rejects.toThrow(message);
  });

  test.each([
    [{ tenants: [{ integration: "none", name: "a" }] }, 'tenants[0]: integration: there is no integration "none"'],
    [{ tenants: [{ name: "a" }] }, "tenants[0]: integration: must be the name or the id"],
    [{ integrations: [{ name: "a" }, { name: "a" }] }, 'integrations[1]: there is an integration "a" already'],
    [{ integrations: [{ name: "a", default_release_id: 7 }] }, "integrations[0]: default_release_id 7 is not among"],
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
      "integrations[0]: releases[1]: there is a release 1 already",
    ],
  ])("is refused as a whole: %j", async (seed, message) => {
    await expect(startEmulator({ seed })).rejects.toThrow(message);
  });
});

function seedText(text: string): () => string {
  return () => seedFile(text);
}
