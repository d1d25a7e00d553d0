import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findProblems } from "../../src/cli/validate/find-problems.ts";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { preflight } from "../../src/stack/program/index.ts";
import { projectOf } from "../../src/stack/yaml/project.ts";
import { testShell } from "../cli/test-shell.ts";
import { cipher } from "./broken-stacks.ts";
import { errorLines, type StackFolder, stackFolder } from "./stack-folder.ts";

let folder: StackFolder;
let emulator: Emulator;

beforeEach(async () => {
  folder = await stackFolder();
  emulator = await createEmulator();
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await emulator.close();
});

const tenants = `
  integration-platform:tenants:
    cobalt: { integration: crm-to-billing, name: cobalt-corp }
    dune: { integration: 102 }
`;

/** A stack with two tenants, and a fleet of `acme` and `bluebird`, whose name is `bluebird-2`. */
const stackWith = ({ overrides = "[]", ofFleet = "[]" }) => `config:
  integration-platform:baseUrl: ${emulator.url}
  integration-platform:apiKey: ${emulator.apiKey}
  integration-platform:overrides: ${overrides}${tenants}  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      overrides: ${ofFleet}
      tenants: { acme: {}, bluebird: { name: bluebird-2 } }
`;

/** The reasons of the overrides in a stack's inputs: of the fleet, of those of its tenants with their own, and of the tenants. */
async function reasonsIn(yaml: string, effective = yaml) {
  const stack = await folder.read(yaml, { effective });
  const { overrideFor } = await preflight(stack);
  const args = stack.fleets[0]?.argsOf({}, overrideFor);
  const entries = Object.entries(Object(args?.tenants)).map(([key, entry]) => [key, Object(entry).override?.reason]);
  const standalone = stack.tenants.map(({ key, integration, entry }) => [
    key,
    overrideFor({ integration, tenant: { key, name: entry.name } })?.reason,
  ]);
  return JSON.parse(
    JSON.stringify({
      fleet: Object(args).override?.reason,
      ...Object.fromEntries(entries),
      ...Object.fromEntries(standalone),
    }),
  );
}

/** The problems of a stack's file, which the program finds in its preflight at the latest. */
async function problemsOf(yaml: string): Promise<string[]> {
  const [, ...lines] = await errorLines(folder.read(yaml).then(preflight));
  return lines;
}

/** The places of the problems that the command `validate` finds. */
async function validated(yaml: string, { isOnline }: { isOnline: boolean }): Promise<string[]> {
  const { directory } = folder;
  await writeFile(join(directory, "Pulumi.test.yaml"), yaml);
  const file = { kind: "stack", path: join(directory, "Pulumi.test.yaml"), project: projectOf(directory) } as const;
  const { problems } = await findProblems(testShell().shell, [file], { isOnline, warn: () => {} });
  return problems.map(({ path, line, column }) => `${line}:${column} ${path}`);
}

describe("overrides cover", () => {
  test.each([
    ["the whole stack", "{ paused: true, reason: all }", { fleet: "all", cobalt: "all", dune: "all" }],
    [
      "an integration by its name",
      "{ paused: true, reason: crm, integration: crm-to-billing }",
      { fleet: "crm", cobalt: "crm" },
    ],
    [
      "an integration by its id, which the tenants declare by its name",
      "[{ paused: true, reason: crm, integration: 101 }]",
      { fleet: "crm", cobalt: "crm" },
    ],
    [
      "an integration by its name, which a tenant declares by its id",
      "{ paused: true, reason: shops, integration: shop-to-erp }",
      { dune: "shops" },
    ],
    [
      "tenants by their names and by their keys",
      "{ paused: true, reason: some, tenants: [bluebird-2, cobalt, dune] }",
      { bluebird: "some", cobalt: "some", dune: "some" },
    ],
    [
      "tenants of an integration",
      "{ paused: true, reason: some, integration: 101, tenants: [acme, cobalt-corp] }",
      { acme: "some", cobalt: "some" },
    ],
    [
      "with the first one, if several cover a tenant",
      "[{ paused: true, reason: one, tenants: [acme] }, { paused: true, reason: all }]",
      { fleet: "all", acme: "one", cobalt: "all", dune: "all" },
    ],
  ])("%s", async (_, overrides, reasons) => {
    expect(await reasonsIn(stackWith({ overrides }))).toEqual(reasons);
  });

  test("a fleet, before those of the stack", async () => {
    const yaml = stackWith({
      overrides: "{ paused: true, reason: all }",
      ofFleet: "[{ paused: true, reason: one, tenants: [bluebird] }, { paused: true, reason: billing }]",
    });
    expect(await reasonsIn(yaml)).toEqual({ fleet: "billing", bluebird: "one", cobalt: "all", dune: "all" });
  });

  test("a tenant with the one that ends last, so that one which ends sooner hides no other", async () => {
    const yaml = stackWith({
      overrides: `
    - { paused: true, reason: night, until: "2026-11-24T06:00:00Z" }
    - { paused: true, reason: day, until: "2026-11-24T09:00:00+02:00" }
    - { paused: true, reason: acme, tenants: [acme] }`,
      ofFleet: '{ paused: true, reason: billing, until: "2026-11-24T05:00:00Z" }',
    });
    expect(await reasonsIn(yaml)).toEqual({ fleet: "day", acme: "acme", cobalt: "day", dune: "day" });
  });

  test("nobody without overrides, and asks the platform for nothing then", async () => {
    expect(await reasonsIn(stackWith({}))).toEqual({});
  });
});

describe("the end of an override", () => {
  const until = async (written: string, engine = written) => {
    const yaml = stackWith({ overrides: `{ paused: true, reason: INC-42, until: ${written} }` });
    const stack = await folder.read(yaml, {
      effective: yaml.replace(`until: ${written}`, `until: ${JSON.stringify(engine)}`),
    });
    return (await preflight(stack)).overrideFor({ integration: 102, tenant: { key: "dune", name: "dune" } })?.until;
  };

  test.each([
    ["a time without quotes, which the engine hands over in the form of Go", "2026-11-24T06:00:00Z", "Z"],
    ["one with an offset", "2026-11-24T08:00:00+02:00", "+02:00"],
  ])("may be %s", async (_, written, offset) => {
    const engine = `${written.slice(0, 10)} ${written.slice(11, 19)} ${offset === "Z" ? "+0000 UTC" : "+0200 +0200"}`;
    expect(await until(written, engine)).toBe(written);
    // pulumi config set writes it into the file in this form
    expect(await until(`'${engine}'`, engine)).toBe(written);
  });

  test.each(["'2026-11-24T06:00:00Z'", "'2026-11-24T06:00:00.5-03:30'"])("may be in quotes: %s", async (written) => {
    const text = written.slice(1, -1);
    expect(await until(written, text)).toBe(text);
  });

  test.each([
    ["a day", "2026-11-24", "2026-11-24 00:00:00 +0000 UTC"],
    ["a time without its offset", "2026-11-24 06:00:00", "2026-11-24 06:00:00 +0000 UTC"],
    ["a word", "tomorrow", "tomorrow"],
  ])("is not %s", async (_, written, engine) => {
    const message = /overrides\.until: must be a time such as 2026-11-24T06:00:00Z$/;
    const [, ...lines] = await errorLines(until(written, engine));
    expect(lines).toEqual([expect.stringMatching(message)]);
  });
});

describe("problems of overrides", () => {
  test.each([
    [
      "an integration that no tenant of the stack has",
      "{ paused: true, reason: x, integration: crm-to-biling }",
      '4:62: overrides.integration: is an integration of no tenant of this stack, so nobody would be paused; did you mean "crm-to-billing"?',
    ],
    [
      "the id of one",
      "{ paused: true, reason: x, integration: 103 }",
      '4:62: overrides.integration: is an integration of no tenant of this stack, so nobody would be paused; did you mean "102"?',
    ],
    [
      "a misspelt tenant",
      "[{ paused: true, reason: x, tenants: [acme, cobolt] }]",
      '4:79: overrides[0].tenants[1]: is not a tenant of this stack; did you mean "cobalt"?',
    ],
    [
      "a tenant of another integration",
      "{ paused: true, reason: x, integration: 102, tenants: [dune, acme] }",
      "4:96: overrides.tenants[1]: is a tenant of another integration than this override is for",
    ],
    [
      "no tenant",
      "{ paused: true, reason: x, tenants: [] }",
      "4:62: overrides.tenants: must name at least one tenant; without tenants, the override pauses all",
    ],
    ["no reason", "{ paused: true }", "4:3: overrides.reason: is required; it must be a string"],
  ])("are shown where they are: %s", async (_, overrides, line) => {
    expect(await problemsOf(stackWith({ overrides }))).toEqual([`Pulumi.test.yaml:${line}`]);
  });

  test("name the tenants of the fleet only", async () => {
    const yaml = stackWith({ ofFleet: "{ paused: true, reason: x, tenants: [cobalt], integration: 101 }" });
    expect(await problemsOf(yaml)).toEqual([
      "Pulumi.test.yaml:11:64: fleets.billing.overrides.integration: is the fleet's: its overrides pause no other tenants. Remove it here, or use integration-platform:overrides",
    ]);
    expect(await problemsOf(yaml.replace(", integration: 101 }", " }"))).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:11:55: fleets\.billing\.overrides\.tenants\[0\]: is not a tenant of this fleet; /,
      ),
    ]);
  });

  test("that only the platform shows are found by the program and by validate --online", async () => {
    const yaml = stackWith({ overrides: "{ paused: true, reason: x, integration: crm-to-billing, tenants: [dune] }" });
    expect(await validated(yaml, { isOnline: false })).toEqual([]);
    expect(await validated(yaml, { isOnline: true })).toEqual(["4:101 overrides.tenants[0]"]);
    expect(await problemsOf(yaml)).toHaveLength(1);
  });

  test("are none where tenants are encrypted or a file of tenants is missing", async () => {
    const yaml = stackWith({ overrides: "{ paused: true, reason: x, tenants: [elm] }" });
    const secret = `{ secure: "${cipher}" }`;
    const hidden = yaml.replace("name: cobalt-corp", `name: ${secret}`);
    expect(await validated(hidden, { isOnline: false })).toEqual([]);
    const missing = yaml.replace("tenants: { acme", "tenantsFrom: none.yaml\n      tenants: { acme");
    expect(await validated(missing, { isOnline: false })).toEqual(["12:7 fleets.billing.tenantsFrom"]);
  });

  test("are what is encrypted, as the state has overrides in plain text", async () => {
    const yaml = stackWith({ overrides: `{ paused: true, reason: { secure: "${cipher}" } }` });
    const [, ...lines] = await errorLines(folder.read(yaml, { decrypted: { [cipher]: "INC-42" } }));
    expect(lines).toEqual([
      "Pulumi.test.yaml:4:51: overrides.reason: must not be encrypted, as previews and messages show it: write it in plain text",
    ]);
    expect(await validated(yaml, { isOnline: false })).toEqual(["4:51 overrides.reason"]);
  });
});
