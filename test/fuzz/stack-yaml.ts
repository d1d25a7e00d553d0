import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import type { JsonValue } from "../../src/json/json-value.ts";
import { readStack, type Stack } from "../../src/stack/program/index.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";
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

const space = "integration-platform:";

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

/** As the engine hands it over: objects and lists as JSON. */
function textsOf(config: JsonValue): Record<string, string> {
  const texts = Object.entries(Object(config)).map(([key, value]) => {
    return [key, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  return Object.fromEntries(texts);
}

function fileOf(config: JsonValue): string {
  return stringify({ config }, { aliasDuplicateObjects: false });
}

/** A project's folder, of which a stack is read as by the program. */
async function openProject() {
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-fuzz-"));
  await mkdir(join(directory, "folder"));
  await pulumi.runtime.setMocks(
    { call: () => ({}), newResource: ({ name }) => ({ id: name, state: {} }) },
    "p",
    "test",
  );

  return {
    put: (path: string, text: string) => writeFile(join(directory, path), text),
    /** The refusal, if it is one of ours; rejects with any other error. */
    readOrRefuse: async (texts: Record<string, string>): Promise<string | undefined> => {
      pulumi.runtime.setAllConfig(texts);
      try {
        use(readStack(directory));
        return undefined;
      } catch (error) {
        if (!(error instanceof pulumi.RunError)) throw error;
        assert.match(
          error.message,
          /^the stack's config has (a problem|\d+ problems); nothing has been changed:\n {2}\S/,
        );
        return error.message;
      }
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

/** What the program reads of a stack. */
function use({ fleets, tenants }: Stack): void {
  for (const { args, entry } of [...tenants, ...fleets.flatMap((fleet) => fleet.tenants)]) {
    assert.ok(args !== undefined);
    // What is not JSON would be another value by the time it is on the platform.
    assert.deepEqual(JSON.parse(JSON.stringify(entry)), withoutMinusZero(withoutUndefined(entry)));
  }
  for (const fleet of fleets) fleet.argsOf({});
}

function withoutUndefined(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

/** The provider takes -0 for 0. */
function withoutMinusZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMinusZero(item)]));
}
