import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createEmulator, type Emulator } from "../../../src/emulator/index.ts";
import { type Editor, openEditor } from "../../editor-schema/open-editor.ts";
import { readOurFile } from "../../editor-schema/our-files.ts";
import { cipher } from "../../stack/broken-stacks.ts";
import { runCli } from "../run-cli.ts";

/** A schema with what other drafts have, what defaults may supply, and references. */
const odd = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://schemas.example.com/odd",
  type: "object",
  $defs: { currency: { enum: ["EUR", "USD"] } },
  properties: {
    currency: { $ref: "#/$defs/currency", description: "What invoices are in." },
    login: {
      oneOf: [
        { type: "object", required: ["user"], properties: { user: { type: "string" } } },
        { type: "object", required: ["token"], properties: { token: { type: "string" } } },
      ],
    },
    pair: { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }] },
  },
  required: ["currency", "login"],
  additionalProperties: false,
};

let emulator: Emulator;
let folder: string;

beforeAll(async () => {
  emulator = await createEmulator({
    seed: {
      integrations: [
        {
          id: 101,
          name: "crm",
          default_release_id: 902,
          releases: [
            { id: 901, name: "one", tag: "v1", config_schema: { properties: { region: { enum: ["eu", "us"] } } } },
            { id: 902, name: "two", tag: "v2", config_schema: { properties: { zone: { enum: ["north"] } } } },
            { id: 903, name: "odd", tag: "v3", config_schema: odd, metadata_schema: { properties: { plan: {} } } },
            { id: 904, name: "bad", tag: "v4", config_schema: { type: "nothing" } },
          ],
        },
        { id: 102, name: "shop", releases: [{ id: 905, name: "s", tag: "s1", config_schema: odd }] },
      ],
    },
  });
});
afterAll(() => emulator.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "integration-platform-schema-"));
});
afterEach(() => rm(folder, { recursive: true }));

const stack = `config:
  integration-platform:tenantDefaults: { integration: crm, release: { tag: v1 } }
  integration-platform:tenants: { acme: { configs: { region: eu } }, dune: { integration: 102 } }
  integration-platform:fleets: { billing: { integration: 101, defaults: { release: { channel: Default } } } }
`;

async function schemaOf(yaml: string): Promise<object> {
  await writeFile(join(folder, "Pulumi.test.yaml"), yaml);
  const { code, stdout } = await runCli(emulator, ["schema", "--stack", "test"], {}, folder);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe("with the schema of a stack, an editor", () => {
  let editor: Editor;
  beforeEach(async () => {
    editor = openEditor(await schemaOf(stack));
  });
  const defaults = "config:\n  integration-platform:tenantDefaults: { integration: crm, release: { tag: v1 } }\n";
  const tenant = (text: string) => `${defaults}  integration-platform:tenants:\n    any:\n${text}`;

  test("completes the configs of the release that the tenant gets from its defaults", async () => {
    expect(await editor.completions(tenant("      configs:\n        |\n"))).toEqual(["region"]);
    expect(await editor.completions(tenant("      configs:\n        region: |\n"))).toEqual(["eu", "us"]);
  });

  test.each(["tag: v2", "id: 902", "channel: Default"])("completes those of its own release, { %s }", async (way) => {
    const own = `      release: { ${way} }\n      configs:\n        `;
    expect(await editor.completions(tenant(`${own}|\n`))).toEqual(["zone"]);
    expect(await editor.diagnostics(tenant(`${own}zone: south\n`))).toEqual([
      expect.stringMatching(/^7:15 Value is not accepted\. Valid values: "north"/),
    ]);
  });

  test("completes those of another integration", async () => {
    const own = "      integration: shop\n      release: { tag: s1 }\n      configs:\n        ";
    expect(await editor.completions(tenant(`${own}|\n`))).toEqual(["currency", "login", "pair"]);
    expect(await editor.completions(tenant(`${own}currency: |\n`))).toEqual(["EUR", "USD"]);
    expect(await editor.hover(tenant(`${own}curr|ency: EUR\n`))).toContain("What invoices are in.");
    expect(await editor.diagnostics(tenant(`${own}region: eu\n`))).toEqual([
      expect.stringMatching(/^8:9 Property region is not allowed/),
    ]);
  });

  test.each(["billing", "new-fleet"])("completes those of the tenants of a fleet: %s", async (fleet) => {
    const release = fleet === "billing" ? "" : "          release: { id: 902 }\n";
    const text = `config:\n  integration-platform:fleets:\n    ${fleet}:\n      integration: crm\n      tenants:\n        any:\n${release}          configs:\n            |\n`;
    expect(await editor.completions(text)).toEqual(["zone"]);
  });

  test("accepts encrypted values, and what defaults may supply", async () => {
    const own = "      release: { tag: v3 }\n      configs: ";
    const secret = `{ secure: "${cipher}" }`;
    expect(await editor.diagnostics(tenant(`${own}{ currency: ${secret} }\n`))).toEqual([]);
    expect(await editor.diagnostics(tenant(`${own}{ login: { token: ${secret} } }\n`))).toEqual([]);
    expect(await editor.diagnostics(tenant(`${own}{ login: {}, pair: [1, a] }\n`))).toEqual([]);
    expect(await editor.diagnostics(tenant(`${own}{ pair: [a] }\n`))).toHaveLength(1);
  });

  test.each(["adopt: true", "adopt: 7", "release: { build: v9 }"])(
    "checks no configs of a tenant with %s",
    async (own) => {
      expect(await editor.diagnostics(tenant(`      ${own}\n      configs: { region: mars }\n`))).toEqual([]);
    },
  );
});

test("the schema checks no configs of tenants that take over what exists as their defaults or their fleet say", async () => {
  const yaml = `config:
  integration-platform:tenantDefaults: { integration: crm, release: { tag: v1 }, adopt: true }
  integration-platform:tenants: { acme: { configs: { region: mars } } }
  integration-platform:fleets:
    billing: { integration: crm, adopt: true, defaults: { release: { tag: v1 }, configs: { region: mars } }, tenants: { dune: { configs: { region: venus } } } }
`;
  const editor = openEditor(await schemaOf(yaml));
  expect(await editor.diagnostics(yaml)).toEqual([]);
  const renamed = yaml.replace("billing", "new-fleet");
  expect(await editor.diagnostics(renamed)).toEqual([]);
  const checked = yaml.replace("configs: { region: mars } } }", "adopt: safe, configs: { region: mars } } }");
  expect(await editor.diagnostics(checked)).toHaveLength(1);
});

test("the schema checks no configs of tenants in groups, if groups can change their release", async () => {
  const yaml = `config:
  integration-platform:tenantDefaults: { integration: crm, release: { tag: v1 } }
  integration-platform:groups: { gold: { schedule: none } }
  integration-platform:tenants: { acme: { groups: gold, configs: { region: mars } } }
  integration-platform:fleets:
    billing: { integration: crm, defaults: { release: { tag: v1 } }, groups: { gold: { release: { tag: v2 } } }, tenants: { dune: { groups: gold, configs: { region: mars } } } }
`;
  const places = (await openEditor(await schemaOf(yaml)).diagnostics(yaml)).map((text) => text.split(" ")[0]);
  expect(places).toEqual(["4:76"]);
  const ungrouped = yaml.replace("dune: { groups: gold,", "dune: {");
  expect(await openEditor(await schemaOf(yaml)).diagnostics(ungrouped)).toHaveLength(2);
});

test("the schema accepts the sandbox on the platform that it is for", async () => {
  const sandbox = await createEmulator();
  const yaml = await readOurFile("Pulumi.sandbox.yaml");
  await writeFile(join(folder, "Pulumi.test.yaml"), yaml);
  const { stdout } = await runCli(sandbox, ["schema", "--stack", "test"], {}, folder);
  await sandbox.close();
  const validate = new Ajv({ strict: false, logger: false, validateFormats: false }).compile(JSON.parse(stdout));
  expect(validate(parse(yaml))).toBe(true);
  expect(validate(parse(yaml.replace("region: uk", "region: mars")))).toBe(false);
});

test("schema --out writes a file, only reads from the platform, and says which schema it leaves out", async () => {
  await writeFile(join(folder, "Pulumi.test.yaml"), stack);
  emulator.clearRequests();
  const args = ["schema", "--stack", "test", "--cwd", folder, "--out", join(folder, "out.json")];
  const { code, stdout, stderr } = await runCli(emulator, args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toMatch(/^warning: the schema of configs of release 904 \(crm\) is left out: .*\n$/);
  expect(JSON.parse(await readFile(join(folder, "out.json"), "utf8"))).toHaveProperty("$defs.tenant");
  expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
});

describe("schema ends with", () => {
  const encrypted = `config: { integration-platform:apiKey: { secure: "${cipher}" } }\n`;
  test.each<[string, number, string[], NodeJS.ProcessEnv, string, RegExp]>([
    ["64 without a stack", 64, [], {}, "", /required option '--stack <name>'/],
    [
      "1 for a stack that does not exist",
      1,
      ["--stack", "x"],
      {},
      "",
      /^error: there is no Pulumi\.x\.yaml in .*Pulumi\.test/,
    ],
    [
      "1 for an unknown integration",
      1,
      ["--stack", "test"],
      {},
      "config: { integration-platform:tenants: { a: { integration: crn } } }\n",
      /^error: Pulumi\.test\.yaml: .*did you mean "crm"/,
    ],
    [
      "1 if the key is encrypted",
      1,
      ["--stack", "test"],
      { INTEGRATION_PLATFORM_API_KEY: "" },
      encrypted,
      /^error: Pulumi\.test\.yaml: .*encrypted.*set INTEGRATION_PLATFORM_API_KEY\n$/,
    ],
  ])("%s", async (_, exit, args, env, yaml, message) => {
    await writeFile(join(folder, "Pulumi.test.yaml"), yaml);
    const { code, stdout, stderr } = await runCli(emulator, ["schema", ...args], env, folder);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

test("a release in a wrapper is described with the labels and hints of its form, and without its placeholders", async () => {
  const release = JSON.parse(await readFile("test/fixtures/releases/wrapped.json", "utf8"));
  const seed = { integrations: [{ name: "ledger", releases: [{ ...release, id: 11, tag: "v1" }] }] };
  const ledger = await createEmulator({ seed });
  try {
    await writeFile(
      join(folder, "Pulumi.test.yaml"),
      "config: { integration-platform:tenants: { acme: { integration: ledger, release: { tag: v1 } } } }",
    );
    const { code, stdout } = await runCli(ledger, ["schema", "--stack", "test"], {}, folder);
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    const [configs]: object[] = Object.entries<object>(document.$defs).flatMap(([name, one]) =>
      name.startsWith("configs-") ? [one] : [],
    );
    const { properties } = Object(configs);
    expect(properties.log_level).toMatchObject({ title: "Log level", description: "The customer does not see it." });
    expect(properties.account).toMatchObject({
      title: "Account",
      description:
        "Choose where entries go. The tenant's options are in status.dynamic_configs.accounts after an init sync.",
    });
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(document);
    const isValid = (tenant: object) =>
      validate({
        config: {
          "integration-platform:tenants": { acme: { integration: "ledger", release: { tag: "v1" }, ...tenant } },
        },
      });
    expect(isValid({ configs: { account: "main", owner: "U0431", start_at: "14:30", region: "eu" } })).toBe(true);
    expect(isValid({ configs: { region: "mars" } })).toBe(false);
    expect(isValid({ configs: { batch_size: "9" } })).toBe(false);
    expect(isValid({ metadata: { cursor: 1 } })).toBe(false);
  } finally {
    await ledger.close();
  }
});
