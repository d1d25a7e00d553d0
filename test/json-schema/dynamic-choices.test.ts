import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/json-value.ts";
import { unknownValue } from "../../src/json/unknown.ts";
import { compileReleaseSchema } from "../../src/json-schema/index.ts";

const definitions = {
  accounts: { enum: ["placeholder"] },
  owners: { oneOf: [{ title: "Placeholder", const: "placeholder" }] },
};
const given: JsonObject = {
  name: "ledger_configs",
  properties: {
    account: { $ref: "#/definitions/accounts", type: "string" },
    owner: { $ref: "#/definitions/owners", type: "number" },
    lists: { type: "array", items: { $ref: "#/definitions/accounts" } },
    deep: { properties: { account: { $ref: "#/definitions/accounts" } } },
    region: { enum: ["eu", "us"] },
  },
  required: ["account"],
  definitions,
};
const schema = compileReleaseSchema(given);
const options = {
  accounts: ["main", "reserve"],
  owners: [
    { const: "U0431", title: "Ada" },
    { const: "U0432", title: "Grace" },
  ],
};

describe("before the first init sync", () => {
  test.each<[string, object]>([
    ["any string", { account: "whatever" }],
    ["a string where a number stands beside the reference", { account: "a", owner: "U0431" }],
    ["a list of strings", { account: ["a", "b"], lists: ["a"] }],
    ["a value that a preview does not know", { account: unknownValue, owner: [unknownValue] }],
    ["at any depth", { account: "a", deep: { account: "x" } }],
  ])("a choice may be %s", (_, value) => {
    expect(schema.violations(value)).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ["a number", { account: 1 }, ["account"]],
    ["an object", { account: {} }, ["account"]],
    ["a list of numbers", { account: [1] }, ["account"]],
  ])("a choice cannot be %s", (_, value, path) => {
    const message = "must be a string or a list of strings";
    expect(schema.violations(value)).toMatchObject([{ path, message, severity: "error" }]);
  });

  test("a required choice may be missing, with a warning", () => {
    expect(schema.violations({})).toMatchObject([
      {
        path: ["account"],
        severity: "warning",
        message: "is required, and can be chosen after the tenant's first init sync",
      },
    ]);
    expect(schema.violations({ region: "mars" })).toMatchObject([
      { path: ["region"], severity: "error" },
      { path: ["account"], severity: "warning" },
    ]);
  });

  test("a choice that a condition or one of several shapes requires may be missing too", () => {
    const { properties } = given;
    const conditional = compileReleaseSchema({
      properties: properties ?? {},
      definitions,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      allOf: [{ if: { required: ["region"] }, then: { required: ["account"] } }],
    });
    expect(conditional.violations({ region: "eu" }).map(({ severity }) => severity)).toEqual(["warning"]);
    const shapes = [{ required: ["account"] }, { required: ["token"] }];
    const either = compileReleaseSchema({ properties: properties ?? {}, definitions, anyOf: shapes });
    expect(either.violations({}).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("with the options of a tenant", () => {
  test.each<[string, object]>([
    ["a string", { account: "main" }],
    ["the const of a titled one", { account: "main", owner: "U0432" }],
    ["several", { account: ["main", "reserve"], lists: ["reserve"] }],
    ["one that is no string", { account: 17 }],
  ])("a choice is one of them: %s", (_, value) => {
    expect(schema.violations(value, { ...options, accounts: ["main", "reserve", { const: 17, title: "x" }] })).toEqual(
      [],
    );
  });

  test("another value is a warning with the nearest options, which may be old", () => {
    const accounts = Array.from({ length: 500 }, (_, index) => `account-${index}`);
    expect(schema.violations({ account: "account-471x" }, { accounts })).toMatchObject([
      {
        path: ["account"],
        severity: "warning",
        message: expect.stringMatching(
          /^is not among the tenant's options for accounts: "account-471", .* and 495 more\. They may be old: an init sync renews them$/,
        ),
      },
    ]);
    expect(schema.violations({ account: "main", owner: "Ada" }, options)[0]?.message).toContain(
      '"U0431" (Ada), "U0432" (Grace)',
    );
    expect(schema.violations({ account: ["main", "x"] }, options)).toMatchObject([{ severity: "warning" }]);
  });

  test("a required choice that is missing violates the schema", () => {
    expect(schema.violations({}, options)).toMatchObject([
      { path: ["account"], severity: "error", message: "is required" },
    ]);
  });

  test("an empty list of options allows nothing, and other definitions stay open", () => {
    expect(schema.violations({ account: "main" }, { accounts: [] })).toMatchObject([
      { severity: "warning", message: expect.stringContaining("there are none") },
    ]);
    expect(schema.violations({ account: "main", owner: "x" }, { accounts: ["main"] })).toEqual([]);
    for (const accounts of [null, {}, "main"]) expect(schema.violations({ account: "x" }, { accounts })).toEqual([]);
  });

  test("a choice that is one of several shapes may have another one", () => {
    const account = { anyOf: [{ $ref: "#/definitions/accounts" }, { type: "null" }, { $ref: "#/definitions/owners" }] };
    const compiled = compileReleaseSchema({ properties: { account }, definitions });
    for (const one of ["main", "U0431", null]) expect(compiled.violations({ account: one }, options)).toEqual([]);
    const warnings = compiled.violations({ account: "x" }, options);
    expect(warnings.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  });
});

test.each<[string, JsonObject, boolean]>([
  ["an enumeration of the word", { enum: ["placeholder"] }, true],
  ["a const of the word, with another type", { type: "number", oneOf: [{ const: "Placeholder" }] }, true],
  ["a const with a rule of its own", { oneOf: [{ const: "placeholder", minLength: 1 }] }, false],
  ["an enumeration with more", { enum: ["placeholder", "x"] }, false],
  ["another word", { enum: ["main"] }, false],
  ["a constant", { const: "placeholder" }, false],
])("a definition is a placeholder or not: %s", (_, lists, isPlaceholder) => {
  for (const keyword of ["definitions", "$defs"]) {
    const properties = { list: { $ref: `#/${keyword}/lists` }, default: { $ref: `#/${keyword}/lists` } };
    const compiled = compileReleaseSchema({ properties, [keyword]: { lists } });
    expect(compiled.violations({ list: "any", default: "any" }).length === 0).toBe(isPlaceholder);
    const found = compiled.dynamicChoices({ list: "any", default: "any" });
    expect(found.map(({ definition }) => definition)).toEqual(isPlaceholder ? ["lists", "lists"] : []);
  }
});

test("which declared paths are choices, with the tenant's options for each", () => {
  const value = { account: "a", region: "eu", lists: ["a", "b"], deep: { account: "c", other: 1 } };
  const accounts = [
    { value: "main", title: undefined },
    { value: "reserve", title: undefined },
  ];
  expect(schema.dynamicChoices(value, options)).toEqual([
    { path: ["account"], definition: "accounts", options: accounts },
    { path: ["lists", "0"], definition: "accounts", options: accounts },
    { path: ["lists", "1"], definition: "accounts", options: accounts },
    { path: ["deep", "account"], definition: "accounts", options: accounts },
  ]);
  expect(schema.dynamicChoices({ owner: "x" })).toEqual([
    { path: ["owner"], definition: "owners", options: undefined },
  ]);
  expect(schema.dynamicChoices({ owner: "x" }, options)[0]?.options).toEqual([
    { value: "U0431", title: "Ada" },
    { value: "U0432", title: "Grace" },
  ]);
});

test("a secret choice tells nothing of the value", () => {
  const properties = { key: { $ref: "#/definitions/accounts", writeOnly: true } };
  const compiled = compileReleaseSchema({ properties, definitions });
  const accounts = Array.from({ length: 50 }, (_, index) => `key-${index}`);
  expect(compiled.violations({ key: "key-47" + "s3cret" }, { accounts })[0]?.message).toContain('"key-0", "key-1"');
});

describe("min and max beside a number", () => {
  const compiled = compileReleaseSchema({
    properties: { size: { type: "integer", min: 1, max: 500 }, low: { min: 3 } },
  });
  test.each<[object, (string | undefined)[]]>([
    [{ size: 1 }, []],
    [{ size: 500, low: 3 }, []],
    [{ size: 0 }, ["must be from 1 to 500"]],
    [{ size: 501, low: 2 }, ["must be from 1 to 500", "must be at least 3"]],
    [{ low: "text" }, []],
  ])("outside is a warning: %j", (value, messages) => {
    const found = compiled.violations(value);
    expect(found.map(({ message }) => message)).toEqual(messages);
    expect(found.every(({ severity }) => severity === "warning")).toBe(true);
  });
});

test("the example of a release that people have", () => {
  const release = JSON.parse(readFileSync("test/fixtures/releases/wrapped.json", "utf8"));
  const configs = compileReleaseSchema(release.config_schema);
  const metadata = compileReleaseSchema(release.metadata_schema);
  const valid = {
    log_level: "DEBUG",
    batch_size: 20,
    start_at: "14:30",
    account: "main",
    owner: "U0431",
    region: "eu",
  };
  expect(configs.violations(valid)).toEqual([]);
  expect(configs.violations({ ...valid, region: "mars", batch_size: "20" })).toMatchObject([
    { path: ["batch_size"] },
    { path: ["region"], message: 'must be one of "eu", "us"' },
  ]);
  expect(metadata.violations({ cursor: "x", seen: { a: "b" }, more: 1 })).toEqual([]);
  expect(metadata.violations({ cursor: 1 })).toMatchObject([{ path: ["cursor"] }]);
  expect(configs.formFieldAt(["log_level"])).toMatchObject({ label: "Log level", isAdminOnly: true });
  expect(configs.formFieldAt(["account"])).toMatchObject({
    label: "Account",
    section: "Ledger",
    hint: "Choose where entries go.",
    isAdminOnly: false,
  });
  expect(configs.formFieldAt(["region"])).toBeUndefined();
});
