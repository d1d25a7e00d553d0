import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight } from "../../src/stack/program/index.ts";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let emulator: Emulator;
let folder: StackFolder;

beforeEach(async () => {
  const config_schema = {
    type: "object",
    properties: {
      api_token: { type: "string", format: "password" },
      shops: { type: "array", items: { properties: { "pin.code": { writeOnly: true } } } },
      login: { type: "object", writeOnly: true },
    },
  };
  const metadata_schema = { properties: { key: { format: "password" } } };
  emulator = await createEmulator({
    seed: {
      integrations: [
        {
          id: 7,
          name: "shops",
          default_release_id: 71,
          releases: [
            { id: 71, name: "one", config_version: "1", config_schema, metadata_schema },
            { id: 72, name: "open", config_version: "1", tag: "open" },
          ],
        },
      ],
    },
  });
  folder = await stackFolder();
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await emulator.close();
});

/** The lines of the error that the preflight of a stack ends with; none if it succeeds. */
async function preflightErrors(config: string, effective = config): Promise<string[]> {
  const whole = (part: string) =>
    `config:\n${part}  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:apiKey: ${emulator.apiKey}\n`;
  const stack = await folder.read(whole(config), { decrypted: { v1: "hidden" }, effective: whole(effective) });
  return errorLines(preflight(stack));
}

const advice = (command: string, setting: string) =>
  `is in clear, and the release's schema marks it as a secret. Run \`pulumi config set --secret --path ${command}\`, ` +
  `or list ${setting} in integration-platform:allowPlaintextSecrets`;

test("refuses plaintext that the schema marks as secret, and shows the command that makes it a secret", async () => {
  const lines =
    await preflightErrors(`  integration-platform:tenantDefaults: { integration: shops, metadata: { key: clear-key } }
  integration-platform:tenants:
    acme:
      configs: { api_token: clear-token, shops: [{ "pin.code": { secure: v1 } }, { "pin.code": 1234 }] }
    it's:
      name: its
      configs: { login: { user: clear-user, password: { secure: v1 } } }
  integration-platform:fleets:
    billing: { integration: 7, defaults: { configs: { api_token: clear-token } }, tenants: { dune: {}, elm: {} } }
`);
  expect(lines).toEqual([
    "the stack's config has 5 problems; nothing has been changed:",
    `Pulumi.test.yaml:2:74: tenantDefaults.metadata.key: ${advice("'integration-platform:tenantDefaults.metadata.key'", "metadata.key")}`,
    `Pulumi.test.yaml:5:18: tenants.acme.configs.api_token: ${advice("'integration-platform:tenants.acme.configs.api_token'", "configs.api_token")}`,
    `Pulumi.test.yaml:5:84: tenants.acme.configs.shops[1].pin.code: ${advice(`'integration-platform:tenants.acme.configs.shops[1]["pin.code"]'`, "configs.shops[1].pin.code")}`,
    `Pulumi.test.yaml:8:27: tenants.it's.configs.login.user: ${advice(`'integration-platform:tenants.it'\\''s.configs.login.user'`, "configs.login.user")}`,
    `Pulumi.test.yaml:10:55: fleets.billing.defaults.configs.api_token: ${advice("'integration-platform:fleets.billing.defaults.configs.api_token'", "configs.api_token")}`,
  ]);
  expect(lines.join("")).not.toMatch(/clear-|1234|hidden/);
});

test("says where to put a secret instead of a file of tenants", async () => {
  await folder.put("tenants.yaml", "acme: { configs: { api_token: clear-token } }\n");
  const lines = await preflightErrors(
    "  integration-platform:fleets: { billing: { integration: shops, tenantsFrom: tenants.yaml } }\n",
  );
  expect(lines[1]).toBe(
    "tenants.yaml:1:20: fleets.billing.tenants.acme.configs.api_token: is in clear, and the release's schema marks it as a secret. " +
      "A file of tenants cannot hold secrets: remove it there and run " +
      "`pulumi config set --secret --path 'integration-platform:fleets.billing.tenants.acme.configs.api_token'`, " +
      "or list configs.api_token in integration-platform:allowPlaintextSecrets",
  );
});

const inClear = "{ acme: { integration: shops, configs: { api_token: clear, shops: [{ pin.code: 1 }] } } }";
const allowed: [string, string, string?][] = [
  [
    "secrets",
    "  integration-platform:tenants: { acme: { integration: shops, configs: { api_token: { secure: v1 } } } }\n",
  ],
  [
    "empty values",
    '  integration-platform:tenants: { acme: { integration: shops, configs: { api_token: "", login: {} } } }\n',
  ],
  [
    "settings that are allowed by name",
    `  integration-platform:tenants: ${inClear}\n  integration-platform:allowPlaintextSecrets: [configs.api_token, configs.shops]\n`,
  ],
  [
    "values that the tenant's own release does not mark as secret",
    "  integration-platform:tenants: { acme: { integration: shops, release: { tag: open }, configs: { api_token: clear } } }\n",
  ],
  [
    "a config key that is one secret",
    "  integration-platform:tenants: { secure: v1 }\n",
    `  integration-platform:tenants: ${inClear}\n`,
  ],
  ["config of unknown source", "", `  integration-platform:tenants: ${inClear}\n`],
];

test.each(allowed)("accepts %s", async (_, config, effective) => {
  expect(await preflightErrors(config, effective)).toEqual([]);
});

test("refuses other settings than those that are allowed", async () => {
  const allow = "  integration-platform:allowPlaintextSecrets: configs.shops\n";
  expect(await preflightErrors(`  integration-platform:tenants: ${inClear}\n${allow}`)).toHaveLength(2);
});
