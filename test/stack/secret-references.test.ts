import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight } from "../../src/stack/program/index.ts";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let emulator: Emulator;
let folder: StackFolder;

beforeEach(async () => {
  const config_schema = {
    properties: {
      api_token: { type: "string", format: "password", pattern: "^t" },
      branch: { type: "object", writeOnly: true },
    },
  };
  const releases = [{ id: 71, name: "one", config_version: "1", config_schema }];
  emulator = await createEmulator({
    seed: { integrations: [{ id: 7, name: "shops", default_release_id: 71, releases }] },
  });
  folder = await stackFolder();
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await emulator.close();
});

const whole = (part: string) =>
  `config:\n${part}  integration-platform:baseUrl: ${emulator.url}\n  integration-platform:apiKey: ${emulator.apiKey}\n`;

test("a reference may stand where the schema wants a secret, and satisfies the schema", async () => {
  const stack = await folder.read(
    whole(`  integration-platform:tenants:
    acme: { integration: shops, configs: { api_token: { ref: "env:ACME_TOKEN", version: 3 } } }
`),
  );
  expect(await errorLines(preflight(stack))).toEqual([]);
});

test("the value in an escape is plaintext like any other", async () => {
  const stack = await folder.read(
    whole(`  integration-platform:tenants:
    acme: { integration: shops, configs: { branch: { literal: { ref: main } } } }
`),
  );
  expect(await errorLines(preflight(stack))).toEqual([
    expect.stringMatching(/nothing has been changed/),
    expect.stringMatching(/configs\.branch\.literal\.ref: is in clear.*list configs\.branch\.ref in/),
  ]);
});

test("a tenant's reference replaces the one of its defaults as a whole", async () => {
  const stack = await folder.read(
    whole(`  integration-platform:tenantDefaults:
    integration: shops
    configs: { api_token: { ref: "env:SHARED", version: 3 }, branch: { literal: { ref: main } } }
  integration-platform:tenants:
    acme: { configs: { api_token: { ref: "env:ACME_TOKEN" }, branch: { name: main } } }
    bluebird: {}
`),
  );
  expect(stack.tenants.map(({ entry }) => entry.configs)).toEqual([
    { api_token: { ref: "env:ACME_TOKEN" }, branch: { name: "main" } },
    { api_token: { ref: "env:SHARED", version: 3 }, branch: { literal: { ref: "main" } } },
  ]);
});

test("configs whose own key is ref are merged with the defaults key by key, and are no reference", async () => {
  const stack = await folder.read(
    whole(`  integration-platform:tenantDefaults:
    integration: shops
    configs: { api_token: { ref: "env:SHARED" }, ref: main }
    metadata: { literal: { ref: "env:SHARED" } }
  integration-platform:tenants:
    acme: { configs: { ref: "env:CI_SECRET" }, metadata: { ref: 1, version: 2 } }
    bluebird: {}
`),
  );
  expect(await errorLines(preflight(stack))).toEqual([]);
  const [acme, bluebird] = stack.tenants.map(({ entry }) => ({ configs: entry.configs, metadata: entry.metadata }));
  expect(acme).toEqual({
    configs: { api_token: { ref: "env:SHARED" }, ref: "env:CI_SECRET" },
    metadata: { literal: { ref: "env:SHARED" }, ref: 1, version: 2 },
  });
  expect(bluebird).toEqual({
    configs: { api_token: { ref: "env:SHARED" }, ref: "main" },
    metadata: { literal: { ref: "env:SHARED" } },
  });
});
