import { afterEach, beforeEach, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight } from "../../src/stack/index.ts";
import { type StackFolder, stackFolder } from "./stack-folder.ts";

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

/** What a stack is refused with, line by line; none where it is not. */
async function told(config: string, effective = config): Promise<string[]> {
  const whole = (part: string) =>
    `config:\n${part}  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:apiKey: ${emulator.apiKey}\n`;
  const stack = await folder.read(whole(config), { decrypted: { v1: "hidden" }, effective: whole(effective) });
  return preflight(stack).then(
    () => [],
    (refusal: Error) => refusal.message.split("\n").map((line) => line.trim()),
  );
}

const advice = (command: string, setting: string) =>
  `is a secret by the release's schema. Run \`pulumi config set --secret --path ${command}\`, ` +
  `or list ${setting} in integration-platform:allowPlaintextSecrets`;

it("refuses what a schema calls secret and stands in clear, each with the command that makes it one", async () => {
  const lines = await told(`  integration-platform:tenantDefaults: { integration: shops, metadata: { key: clear-key } }
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

it("says of a file of tenants, which cannot hold secrets, where to put them instead", async () => {
  await folder.put("tenants.yaml", "acme: { configs: { api_token: clear-token } }\n");
  const lines = await told(
    "  integration-platform:fleets: { billing: { integration: shops, tenantsFrom: tenants.yaml } }\n",
  );
  expect(lines[1]).toBe(
    "tenants.yaml:1:20: fleets.billing.tenants.acme.configs.api_token: is a secret by the release's schema. " +
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
    "what is allowed by name",
    `  integration-platform:tenants: ${inClear}\n  integration-platform:allowPlaintextSecrets: [configs.api_token, configs.shops]\n`,
  ],
  [
    "what the tenant's own release does not call secret",
    "  integration-platform:tenants: { acme: { integration: shops, release: { tag: open }, configs: { api_token: clear } } }\n",
  ],
  [
    "a key that is one secret",
    "  integration-platform:tenants: { secure: v1 }\n",
    `  integration-platform:tenants: ${inClear}\n`,
  ],
  ["config whose file is not known", "", `  integration-platform:tenants: ${inClear}\n`],
];

it.each(allowed)("lets %s pass", async (_, config, effective) => {
  expect(await told(config, effective)).toEqual([]);
});

it("leaves what is not allowed refused, however much else is", async () => {
  const allow = "  integration-platform:allowPlaintextSecrets: configs.shops\n";
  expect(await told(`  integration-platform:tenants: ${inClear}\n${allow}`)).toHaveLength(2);
});
