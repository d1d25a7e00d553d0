import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight } from "../../src/stack/program/index.ts";
import { call } from "../emulator/running-emulator.ts";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let emulator: Emulator;
let folder: StackFolder;

beforeEach(async () => {
  emulator = await createEmulator();
  folder = await stackFolder();
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await emulator.close();
});

/** Reads a stack and runs its preflight. */
async function readAndCheck(config: string) {
  const stack = await folder.read(
    `config:\n${config}  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:apiKey: ${emulator.apiKey}\n`,
  );
  return preflight(stack);
}

describe("the preflight of fleets", () => {
  test("shows the place of each value that does not fit the release's schemas", async () => {
    await folder.put("tenants.yaml", "acme:\n  configs: { batch_size: 0 }\ndune: { configs: { region: mars } }\n");
    const lines = await errorLines(
      readAndCheck(`  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { release: { tag: v1.0.0 }, metadata: { seats: many } }
      tenantsFrom: tenants.yaml
      tenants: { dune: { configs: { mapping: { a: 1 } } } }
`),
    );
    const at = (where: string, path: string) => expect.stringMatching(new RegExp(`^${where}: ${path}: must be`));
    expect(lines).toEqual([
      "the stack's config has 4 problems; nothing has been changed:",
      at("Pulumi.test.yaml:5:57", "fleets.billing.defaults.metadata.seats"),
      at("Pulumi.test.yaml:7:48", "fleets.billing.tenants.dune.configs.mapping.a"),
      at("tenants.yaml:2:14", "fleets.billing.tenants.acme.configs.batch_size"),
      at("tenants.yaml:3:20", "fleets.billing.tenants.dune.configs.region"),
    ]);
  });

  test("compares the schedule of a tenant that is taken over with the one it has", async () => {
    const add = (tenant: object) =>
      call(emulator, "POST", "/_emulator/tenants", { integration: "crm-to-billing", ...tenant });
    await add({ name: "acme", user_schedule: "@daily" });
    await add({ name: "dune", user_schedule: "0 6 * * *" });
    const lines = await errorLines(
      readAndCheck(`  integration-platform:tenants:
    acme: { integration: crm-to-billing, adopt: true, schedule: "@daily" }
    dune: { integration: crm-to-billing, adopt: true, schedule: "@daily" }
`),
    );
    expect(lines).toEqual([
      "the stack's config has a problem; nothing has been changed:",
      expect.stringMatching(
        /^Pulumi\.test\.yaml:4:55: tenants\.dune\.schedule: is a nickname, .*: write "0 0 \* \* \*"$/,
      ),
    ]);
  });

  test("shows the first 50 of very many, and which command lists all", async () => {
    const tenants = Array.from({ length: 60 }, (_, index) => `t${index}: { configs: { region: mars } }`).join(", ");
    const lines = await errorLines(
      readAndCheck(
        `  integration-platform:fleets: { billing: { integration: crm-to-billing, tenants: { ${tenants} } } }\n`,
      ),
    );
    expect(lines).toHaveLength(52);
    expect(lines.at(-1)).toBe("and 10 more: `integration-platform validate --online` lists all");
  });

  test("shows an unknown integration of a fleet once, and an unknown release where it is declared", async () => {
    const lines = await errorLines(
      readAndCheck(`  integration-platform:fleets:
    billing: { integration: crm-to-biling, tenants: { acme: {}, dune: {} } }
    shops: { integration: 102, defaults: { release: { tag: v2.0.1 } }, tenants: { acme: {}, dune: {} } }
`),
    );
    expect(lines).toEqual([
      "the stack's config has 2 problems; nothing has been changed:",
      'Pulumi.test.yaml:3:16: fleets.billing.integration: there is no integration named "crm-to-biling"; did you mean "crm-to-billing"?',
      'Pulumi.test.yaml:4:55: fleets.shops.defaults.release.tag: shop-to-erp has no release with tag "v2.0.1"; did you mean "v2.0.0"? (for acme, dune)',
    ]);
  });

  test("finds a tenant that is declared twice, once by the integration's name and once by its id", async () => {
    const lines = await errorLines(
      readAndCheck(`  integration-platform:tenants: { acme: { integration: 101 } }
  integration-platform:fleets: { billing: { integration: crm-to-billing, tenants: { cedar: { name: acme } } } }
`),
    );
    expect(lines).toEqual([
      "the stack's config has a problem; nothing has been changed:",
      'Pulumi.test.yaml:3:85: fleets.billing.tenants.cedar: is a second declaration of tenant "acme", which tenants.acme (Pulumi.test.yaml:2:35) declares too: remove one of the two',
    ]);
  });

  test.each([
    "adopt: true, tenants: { acme: { configs: { region: mars } } }",
    "tenants: { acme: { adopt: 7, configs: { region: mars } } }",
  ])("accepts values that do not fit of tenants that are taken over: %s", async (fleet) => {
    const config = `  integration-platform:fleets: { billing: { integration: 101, defaults: { release: { id: 901 } }, ${fleet} } }\n`;
    expect(await errorLines(readAndCheck(config))).toEqual([]);
  });

  test("sends three requests, however many tenants there are", async () => {
    const tenants = Array.from({ length: 50 }, (_, index) => `t-${index}: { configs: { region: eu } }`);
    await folder.put("tenants.yaml", tenants.join("\n"));
    await readAndCheck(
      "  integration-platform:fleets: { billing: { integration: 101, defaults: { release: { tag: v1.0.0 } }, tenantsFrom: tenants.yaml } }\n",
    );
    expect(emulator.requests().length).toBeLessThanOrEqual(3);
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("the preflight of tenants whose configs would not fit a new tenant", () => {
  const ivory = (settings: string) =>
    `  integration-platform:tenants: { ivory: { integration: hr-to-payroll, ${settings} } }\n`;

  test("accepts what an existing tenant has already, as the lists of its integration's tenants show it", async () => {
    await call(emulator, "POST", "/_emulator/tenants", {
      integration: 103,
      name: "ivory",
      configs: { company_id: "ivory-01", country: "de" },
    });
    emulator.clearRequests();
    expect(await errorLines(readAndCheck(ivory("configs: { country: de }")))).toEqual([]);
    expect(emulator.requests().map(({ path }) => path)).toContain("/v2/tenants");
  });

  test.each(["ivory: { name: ivory-corp,", "ivory-corp: { aliases: [ivory],"])(
    "accepts what a tenant has already that up renames: %s",
    async (start) => {
      const configs = { company_id: "ivory-01", country: "DE" };
      await call(emulator, "POST", "/_emulator/tenants", { integration: 103, name: "ivory", configs });
      const tenants = (country: string) =>
        `  integration-platform:tenants: { ${start} integration: hr-to-payroll, configs: { country: ${country} } } }\n`;
      expect(await errorLines(readAndCheck(tenants("FR")))).toEqual([]);
      const [, ...lines] = await errorLines(readAndCheck(tenants("france")));
      expect(lines).toEqual([expect.stringContaining("configs.country: must match the pattern")]);
    },
  );

  test("compares a new tenant with no tenant whose name the stack declares for this integration", async () => {
    const configs = { company_id: "ivory-01" };
    for (const integration of [101, 103])
      await call(emulator, "POST", "/_emulator/tenants", { integration, name: `ivory-${integration}`, configs });
    const tenants =
      "  integration-platform:tenants: { ivory-103: { integration: 103 }, jade: { integration: hr-to-payroll } }\n";
    const [, ...lines] = await errorLines(readAndCheck(tenants));
    expect(lines).toEqual([expect.stringContaining("tenants.jade.configs.company_id: is required")]);
  });

  test.each([
    ["a new tenant", "", ["company_id: is required", "country: must match the pattern"]],
    ["one that takes over a tenant", ", adopt: 5001", ["country: must match the pattern"]],
  ])("tells %s what it lacks, whatever tenants beside it have", async (_, settings, expected) => {
    const configs = { company_id: "ivory-01" };
    await call(emulator, "POST", "/_emulator/tenants", { integration: 103, name: "beside", configs });
    const [, ...lines] = await errorLines(readAndCheck(ivory(`configs: { country: de }${settings}`)));
    expect(lines).toEqual(expected.map((text) => expect.stringContaining(`tenants.ivory.configs.${text}`)));
    expect(lines.every((line) => line.endsWith("(schema of hr-to-payroll v1.0.0)"))).toBe(true);
  });

  test("accepts what one of several tenants of its name has", async () => {
    for (const configs of [{}, { company_id: "ivory-01", country: "de" }])
      await call(emulator, "POST", "/_emulator/tenants", { integration: 103, name: "ivory", configs });
    expect(await errorLines(readAndCheck(ivory("configs: { country: de }")))).toEqual([]);
  });

  test("refuses what an existing tenant does not have", async () => {
    await call(emulator, "POST", "/_emulator/tenants", { integration: 103, name: "ivory", configs: {} });
    const [, ...lines] = await errorLines(readAndCheck(ivory("configs: { country: de }")));
    expect(lines).toEqual([expect.stringContaining("tenants.ivory.configs.country: must match the pattern")]);
  });

  test("sends no request for the tenants of an integration if all of them fit", async () => {
    await readAndCheck(ivory("configs: { company_id: ivory-01 }"));
    expect(emulator.requests().map(({ path }) => path)).not.toContain("/v2/tenants");
  });
});

describe("aliases", () => {
  test.each([
    ["a: { aliases: [b] }, b: {}", 'tenants.a.aliases[0]: "b" is still the key of a tenant'],
    ["a: { aliases: [z] }, b: { aliases: [z] }", 'tenants.b.aliases[0]: "z" is an alias of "a" already'],
  ])("of two tenants may not be the same, or the key of one: %s", async (tenants, expected) => {
    const defaults = "  integration-platform:tenantDefaults: { integration: crm-to-billing }\n";
    const [, ...lines] = await errorLines(readAndCheck(`${defaults}  integration-platform:tenants: { ${tenants} }\n`));
    expect(lines).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    ["a: { I, aliases: [b] }, b: { I }", 'fleets.a.aliases[0]: "b" is still the key of a fleet'],
    [
      "a: { I, aliases: [z] }, b: { I, aliases: [z] }",
      'fleets.b.aliases[0]: "z" is an alias of "a" already; only one fleet',
    ],
  ])("of two fleets may not be the same, or the key of one: %s", async (fleets, expected) => {
    const declared = fleets.replaceAll("I", "integration: crm-to-billing");
    const [, ...lines] = await errorLines(readAndCheck(`  integration-platform:fleets: { ${declared} }\n`));
    expect(lines).toEqual([expect.stringContaining(expected)]);
  });

  test("of a fleet may be the key of a tenant, which is a resource of another type", async () => {
    const tenants = "integration-platform:tenants: { a: { integration: crm-to-billing } }";
    const fleets = "integration-platform:fleets: { f: { integration: crm-to-billing, aliases: [a] } }";
    await readAndCheck(`  ${tenants}\n  ${fleets}\n`);
  });
});

test("the tenants of a build are checked once its release exists", async () => {
  const properties = { api_token: { format: "password" }, size: { type: "integer" } };
  const declared = `  integration-platform:builds: { v9: { integration: crm-to-billing, tag: v9 } }
  integration-platform:tenants:
    acme: { integration: crm-to-billing, release: { build: v9 }, configs: { api_token: hunter2, size: small } }
`;
  await expect(readAndCheck(declared)).resolves.toBeDefined();
  const release = { name: "v9", tag: "v9", config_schema: { properties } };
  await call(emulator, "POST", "/_emulator/integrations/101/releases", release);
  const lines = await errorLines(readAndCheck(declared));
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/tenants.acme.configs.api_token: is in clear/),
    expect.stringMatching(/tenants.acme.configs.size: must be a whole number/),
  ]);
});

test("a plaintext secret in Pulumi.yaml has to be moved to the stack's file, which would replace the whole key", async () => {
  const config_schema = { properties: { api_token: { format: "password" } } };
  await call(emulator, "POST", "/_emulator/integrations/101/releases", { name: "v9", tag: "v9", config_schema });
  const tenants =
    "{ acme: { integration: crm-to-billing, release: { tag: v9 }, configs: { api_token: hunter2 } }, beta: { integration: crm-to-billing } }";
  const key = "integration-platform:tenants";
  await folder.put("Pulumi.yaml", `name: shop\nruntime: nodejs\nconfig:\n  ${key}: { value: ${tenants} }\n`);
  const address = `config:\n  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:apiKey: ${emulator.apiKey}\n`;
  const stack = await folder.read(address, { effective: `${address}  ${key}: ${tenants}\n` });
  const lines = await errorLines(preflight(stack));
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^Pulumi.yaml:4:.*move all of integration-platform:tenants to the stack's file and run/),
  ]);
});
