import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import { schemaFiles } from "../../scripts/schemas.ts";
import { brokenStacks, cipher } from "../stack/broken-stacks.ts";
import { firstLine, ourFiles, readOurFile, repository } from "./our-files.ts";

const read = async (name: string) => JSON.parse(await readFile(join(repository, "schemas", name), "utf8"));

/** Validates YAML with one of the schemas in the repository, with a validator that is not ours. */
async function validator(name: string): Promise<(yaml: string) => boolean> {
  const validate: ValidateFunction = new Ajv({ strict: false }).compile(await read(name));
  return (yaml) => validate(parse(yaml, { merge: true }));
}

test.each(Object.entries(schemaFiles))("schemas/%s is what `npm run schemas` writes", async (name, text) => {
  expect(await readFile(join(repository, "schemas", name), "utf8")).toBe(text);
});

describe("every key of the schemas has a description", () => {
  test.each(Object.keys(schemaFiles))("%s", async (name) => {
    const undescribed = propertiesOf(await read(name), []).flatMap(({ path, schema }) =>
      typeof schema.description === "string" && schema.description.length > 10 ? [] : [path.join(".")],
    );
    expect(undescribed).toEqual([]);
  });
});

describe("the schemas accept", () => {
  test.each(ourFiles)("%s", async (name) => {
    const isValid = await validator("stack.schema.json");
    expect(isValid(await readOurFile(name))).toBe(true);
  });

  test.each([
    ["an empty file", "# nothing yet\n"],
    [
      "only what Pulumi writes",
      "encryptionsalt: v1:abc\nsecretsprovider: awskms://x\nencryptedkey: abc\nenvironment: [a]\n",
    ],
    ["keys of other namespaces, and anchors", "x-all: &all { paused: true }\nconfig: { aws:region: eu, plain: 1 }\n"],
    ["keys without a value", "config:\n  integration-platform:tenants:\n  integration-platform:tenantDefaults:\n"],
    [
      "secrets at any depth",
      `config: { integration-platform:apiKey: { secure: AAAA }, integration-platform:baseUrl: { secure: AAAA }, integration-platform:tenants: { a: { configs: { x: { y: [{ secure: "${cipher}" }] }, smtp: { secure: true } } } } }\n`,
    ],
    [
      "a fleet, a build and a receiver with all settings",
      `config:
  integration-platform:builds: { v3: { integration: 101, tag: v3, branch: main, adopt: true, timeoutSeconds: 60 } }
  integration-platform:fleets:
    billing:
      integration: crm
      defaults: { release: { build: v3 }, paused: false }
      tenants: { acme: { name: acme-2, adopt: 7, aliases: [a], sync: { payload: { a: 1 } } } }
      groups: { gold: { configs: { x: { secure: AAAA } }, retainOnDelete: true, sync: { payload: { a: 1 } } } }
      tenantsFrom: [a, b.yaml, { path: customers, fields: [metadata, configs.region] }]
      limits: { archive: 0, change: 12.5% }
      sync: { mode: init, on: [configs, release, metadata, schedule], when: { secure: AAAA } }
      adopt: true
      syncConcurrency: 4
      rollout:
        waves:
          - { name: canary, tenants: [acme] }
          - { name: early, percent: 10, approval: required }
          - { percent: 100 }
        exclude: [bigcorp]
        gate: { sync: init, minTenants: 2, soakSeconds: 3600, deadlineSeconds: 60, whenUnconnected: leave, whenPaused: skip, succeededStatuses: [ok], failedStatuses: [bad] }
        maxUnavailable: 12.5%
        maxFailures: 1
        onFailure: rollback
        windows: ["* 9-15 * * 1-4"]
        timeZone: Europe/Berlin
        freeze: [{ from: 2026-12-20, to: '2027-01-03 00:00:00 +0000 UTC' }]
        approvals: { v1.3.0: { early: CHG-123 }, 501: { early: CHG-9 } }
        paused: false
        attempt: 2
        waitSeconds: 60
      overrides: { paused: true, reason: INC-7, tenants: [acme], until: 2026-11-24T08:00:00+02:00 }
  integration-platform:overrides:
    - { paused: true, reason: INC-42, until: 2026-11-24T06:00:00Z, integration: crm }
    - { paused: true, reason: INC-43, until: '2026-11-24 06:00:00 +0000 UTC', integration: 101 }
  integration-platform:webhookReceiver:
    { tokens: [{ secure: AAAA }, { secure: BBBB }], reconciliation: false, logRetentionDays: 7, allowedSources: ["::1"], platform: { apiKey: { secure: CCCC } } }
`,
    ],
  ])("%s", async (_, yaml) => {
    const isValid = await validator("stack.schema.json");
    expect(isValid(yaml)).toBe(true);
  });

  test("groups, and what names them", async () => {
    const isStack = await validator("stack.schema.json");
    const yaml = (groups: string) => `config:
  integration-platform:groups: { gold: { integration: crm, release: { tag: v1 }, configs: { x: [{ secure: AAAA }] } } }
  integration-platform:tenants: { acme: { groups: ${groups} } }
  integration-platform:fleets: { billing: { integration: crm, tenantsFrom: { path: customers, fields: [] } } }
`;
    expect(["gold", "[gold, eu]", "[]", "5", "{ gold: true }"].map((groups) => isStack(yaml(groups)))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });

  test("files of tenants, and files of one tenant", async () => {
    const [areTenants, isTenant] = [await validator("tenants.schema.json"), await validator("tenant.schema.json")];
    expect(areTenants("acme: { paused: true, configs: { a: { b: [1] } } }\n42: {}\n")).toBe(true);
    expect(areTenants("# nobody\n")).toBe(true);
    expect(isTenant("paused: true\ngroups: [gold, eu]\n")).toBe(true);
    expect(isTenant("")).toBe(true);
    expect([areTenants("paused: true\n"), isTenant("acme: { paused: true }\n")]).toEqual([false, false]);
  });
});

describe("the schemas and broken files", () => {
  const isRefused = async ({ yaml, files = {} }: (typeof brokenStacks)[number]) => {
    if (parseDocument(yaml).errors.length > 0) return false; // Readers of YAML refuse it, whatever the schema says.
    const isStack = await validator("stack.schema.json");
    const areTenants = await validator("tenants.schema.json");
    return !isStack(yaml) || Object.values(files).some((text) => !areTenants(text));
  };

  test.each(brokenStacks.filter(({ isInSchema }) => isInSchema))("refuse $mistake", async (broken) => {
    expect(await isRefused(broken)).toBe(true);
  });

  test.each(brokenStacks.filter(({ isInSchema }) => !isInSchema))("leave to `validate`: $mistake", async (broken) => {
    expect(await isRefused(broken)).toBe(false);
  });

  test("find three mistakes of five", () => {
    const found = brokenStacks.filter(({ isInSchema }) => isInSchema).length;
    expect([found, brokenStacks.length]).toEqual([60, 102]);
  });
});

describe("the first line of our YAML names the schema", () => {
  test.each(ourFiles)("%s", async (name) => {
    const [, schema = ""] = firstLine.exec(await readOurFile(name)) ?? [];
    expect(normalize(join(dirname(name), schema))).toBe("schemas/stack.schema.json");
  });
});

/** All properties of a schema and of its definitions, with their paths. */
function propertiesOf(
  schema: unknown,
  path: readonly string[],
): { path: string[]; schema: { description?: unknown } }[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const isPropertyList = keyword === "properties" && path.at(-1) !== "properties" && path.at(-1) !== "if";
    const own = isPropertyList ? Object.entries(Object(value)) : [];
    return [
      ...own.map(([key, inner]) => ({ path: [...path, key], schema: Object(inner) })),
      ...propertiesOf(value, [...path, keyword]),
    ];
  });
}
