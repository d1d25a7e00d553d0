import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import type { JsonValue } from "../../src/json/json-value.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";
import { fileOf, openProject, space, textsOf } from "./stack-project.ts";
import { yamlTexts } from "./yaml-texts.ts";

/** Whatever a stack's config and file say, together or against each other: a stack, or problems with their places. */
export const stackYaml = fuzzProperty("stack YAML", 400, async () => {
  const project = await openProject();
  return {
    inputs: fc.oneof(
      mutated(goodConfig).map((config) => ({ config: textsOf(config), file: fileOf(config) })),
      fc.record({ config: mutated(goodConfig).map(textsOf), file: yamlTexts([goodFile]) }),
      fc.record({ config: fc.constant(textsOf(goodConfig)), file: yamlTexts([goodFile]) }),
      // what the file says is what the engine hands over
      yamlTexts([goodFile]).map((file) => ({ config: textsOf(configIn(file)), file })),
      anyJson
        .map((value) => ({ [`${space}tenants`]: value, [`${space}fleets`]: value }))
        .map((config) => ({ config: textsOf(config), file: fileOf(config) })),
      fc.constantFrom(10, 200, 5000).map((depth) => ({ config: nestedConfig(depth), file: goodFile })),
    ),
    check: async ({ config, file }) => {
      await project.put("Pulumi.test.yaml", file);
      await project.readOrRefuse(config);
    },
    [Symbol.asyncDispose]: project[Symbol.asyncDispose],
  } satisfies Subject<{ config: Record<string, string>; file: string }>;
});

/** The same for the files that a fleet's tenants come from. There a problem has a line and a column. */
export const tenantFiles = fuzzProperty("files of tenants", 500, async () => {
  const project = await openProject();
  await project.put("Pulumi.test.yaml", "config: {}\n");
  return {
    inputs: fc.tuple(yamlTexts([goodTenants]), fc.boolean()),
    check: async ([text, isFolder]) => {
      await project.put(isFolder ? "folder/acme.yaml" : "tenants.yaml", text);
      const tenantsFrom = isFolder ? "folder" : "tenants.yaml";
      const refusal = await project.readOrRefuse(
        textsOf({ [`${space}fleets`]: { f: { integration: "crm", tenantsFrom } } }),
      );
      if (refusal !== undefined) assert.match(refusal, /(tenants|folder\/acme)\.yaml:\d+:\d+: /);
    },
    [Symbol.asyncDispose]: project[Symbol.asyncDispose],
  } satisfies Subject<[string, boolean]>;
});

const goodTenants = `acme: &a { paused: true, configs: { region: eu, list: [1, { b: 2 }] }, metadata: { plan: gold } }
globex:
  <<: *a
  name: globex-two
  release: { channel: Latest }
  groups: [gold, 42]
  schedule: "0 */6 * * *"
  aliases: [old, older]
  sync: { mode: normal, on: [configs, release], when: "1" }
42: *a
`;

const goodFile = `config:
  ${space}baseUrl: https://platform.example.com
  ${space}apiKey: { secure: v1:abc }
  ${space}allowInsecureHttp: [gateway.internal]
  ${space}builds: { next: { integration: crm, tag: v2, branch: main } }
  ${space}tenantDefaults: { integration: crm, schedule: "0 */6 * * *", configs: { a: { b: 1 } } }
  ${space}groups: { gold: { schedule: none, configs: { a: { c: { secure: v1:g } } } }, eu: {} }
  ${space}tenants:
    one: { groups: [gold, eu] }
    acme: &a { configs: { region: eu, token: { secure: v1:xyz } }, release: { build: next } }
    globex: { <<: *a, name: globex-two, sync: { mode: init, on: [configs], payload: { full: true } } }
  ${space}webhookReceiver: { tokens: [{ secure: v1:t }], reconciliation: { everyMinutes: 5 } }
  ${space}fleets:
    billing: { integration: 101, defaults: { paused: true }, groups: { g: { metadata: {} } }, tenantsFrom: [{ path: folder, fields: [paused, configs.a] }], tenants: { one: { groups: g }, two: { configs: { x: [1] } } } }
`;

const goodConfig: JsonValue = parse(goodFile, { merge: true }).config;

function configIn(file: string): JsonValue {
  try {
    return JSON.parse(JSON.stringify(parse(file, { merge: true, logLevel: "silent" }).config)) ?? goodConfig;
  } catch {
    return goodConfig;
  }
}

function nestedConfig(depth: number): Record<string, string> {
  const configs = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  return { [`${space}tenants`]: `{"acme":{"integration":"crm","configs":${configs}}}` };
}
