import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { runCli } from "./run-cli.ts";

const hostile = "x\n::stop-commands::t\u001b[2J\u2028::error::";
const name = `acme-${hostile}`;

describe("names of the platform in errors and warnings", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    const config_schema = { $ref: "https://schemas.example.com/a.json" };
    const connectors = [{ name: "crm", status: "connected", last_change: "2026-05-01T08:00:00.000Z" }];
    const auth = { connected: true, connectors };
    emulator = await createEmulator({
      clock: "manual",
      seed: {
        integrations: [
          {
            id: 1,
            name: `billing-${hostile}`,
            connectors: [{ name: "crm", isGlobal: false }],
            releases: [{ id: 11, name: hostile, tag: `v1-${hostile}`, config_schema }],
          },
          { id: 2, name: "crm", releases: [] },
        ],
        tenants: [
          { id: 51, integration: `billing-${hostile}`, name, integration_release_id: 11, status: { auth } },
          { id: 52, integration: "crm", name, integration_release_id: 999 },
        ],
      },
    });
    await fetch(`${emulator.url}/v2/tenants/51/sync?mode=normal`, {
      method: "POST",
      headers: { "x-api-key": emulator.apiKey },
    });
    await emulator.advance({ seconds: 120 });
  });
  afterAll(() => emulator.close());

  test.each<[string, string[], string]>([
    ["an unknown integration", ["check", "--integration", "billing", "--release", "v1"], "no integration named"],
    ["an unknown id of an integration", ["check", "--integration", "7", "--release", "v1"], "no integration with id"],
    ["an unknown tag", ["check", "--integration", "1", "--release", "v1"], "no release with tag"],
    ["an unknown id of a release", ["check", "--integration", "1", "--release", "7"], "no release with id"],
    ["no release of a channel", ["check", "--integration", "2", "--release", "latest"], "has no latest release"],
    ["a schema that is not checked", ["check", "--integration", "1", "--release", "11"], "is not fully checked"],
    ["an unknown tenant", ["logs", "acme", "--integration", "1"], "no live tenant"],
    ["several tenants with one name", ["logs", name], "2 live tenants have the name"],
    ["a tenant without runs", ["logs", "52"], "shows no run"],
    ["a followed log", ["logs", "51", "--follow"], "of acme-x"],
    ["a release that is not there", ["export", "--integration", "2"], "has no release 999"],
    ["a condition that is none", ["status", "--where", "name + 1"], "cannot be evaluated"],
  ])("%s: none begins a line or commands the terminal", async (_, args, message) => {
    const { stderr } = await runCli(emulator, args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^::|(?!\n)\p{Cc}|\u2028/mu);
  });
});
