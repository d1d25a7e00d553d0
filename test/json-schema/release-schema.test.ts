import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/json-value.ts";
import { unknownValue } from "../../src/json/unknown.ts";
import type { MissingSecret } from "../../src/json-schema/index.ts";
import { compileReleaseSchema, noSchema, UnusableSchemaError } from "../../src/json-schema/index.ts";

describe("a violation names its path and the rule, without the value", () => {
  test.each<[string, JsonObject, object, string[], RegExp]>([
    ["a missing key", { required: ["id"] }, {}, ["id"], /^is required$/],
    [
      "an additional key",
      { properties: { region: {} }, additionalProperties: false },
      { regoin: 1 },
      ["regoin"],
      /did you mean "region"/,
    ],
    [
      "a type",
      { properties: { a: { type: ["string", "null"] } } },
      { a: 1 },
      ["a"],
      /^must be a string or null: write it in quotes$/,
    ],
    ["an enumeration", { properties: { a: { enum: ["x", 2] } } }, { a: "s3cret" }, ["a"], /^must be one of "x", 2$/],
    [
      "an enumeration of thousands, with the nearest first",
      { properties: { a: { enum: Array.from({ length: 5000 }, (_, index) => `zone-${index}`) } } },
      { a: "zone-4711-" },
      ["a"],
      /^must be one of "zone-4711", ("zone-\d+", ){8}"zone-\d+" and 4,990 more$/,
    ],
    [
      "an enumeration of secrets, whose order tells nothing of the value",
      { properties: { a: { format: "password", enum: Array.from({ length: 50 }, (_, index) => `zone-${index}`) } } },
      { a: "zone-47-s3cret" },
      ["a"],
      /^must be one of "zone-0", "zone-1", .* and 40 more$/,
    ],
    ["a constant", { properties: { a: { const: "x" } } }, { a: "s3cret" }, ["a"], /^must be "x"$/],
    ["a pattern", { properties: { a: { pattern: "^x+$" } } }, { a: "s3cret" }, ["a"], /\^x\+\$/],
    ["a length", { properties: { a: { minLength: 9 } } }, { a: "s3cret" }, ["a"], /9 characters/],
    ["a range", { properties: { a: { maximum: 5 } } }, { a: 9 }, ["a"], /^must be at most 5$/],
    ["a forbidden key", { properties: { a: false } }, { a: "s3cret" }, ["a"], /^is not allowed$/],
    ["an item of a list", { properties: { a: { items: { type: "string" } } } }, { a: ["x", 1] }, ["a", "1"], /string/],
    ["a key with a slash", { properties: { "a/b~c": { type: "string" } } }, { "a/b~c": 1 }, ["a/b~c"], /string/],
  ])("%s", (_, schema, value, path, message) => {
    const problems = compileReleaseSchema(schema).violations(value);
    expect(problems).toMatchObject([{ path, message: expect.stringMatching(message) }]);
    expect(JSON.stringify(problems)).not.toContain("s3cret");
  });

  test("all violations are found at once", () => {
    const schema = { required: ["a", "b"], properties: { c: { type: "string" } } };
    expect(
      compileReleaseSchema(schema)
        .violations({ c: 1 })
        .map(({ path }) => path[0]),
    ).toEqual(["a", "b", "c"]);
  });

  test("the fingerprint does not depend on the value", () => {
    const schema = compileReleaseSchema({ properties: { a: { type: "string" } } });
    const [first, second] = [schema.violations({ a: 1 }), schema.violations({ a: [2] })];
    expect(first[0]?.fingerprint).toBe(second[0]?.fingerprint);
  });
});

describe("an unknown value", () => {
  const schema = compileReleaseSchema({
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string", minLength: 3 },
      size: { type: "integer", minimum: 1 },
      list: { type: "array", items: { type: "integer" }, minItems: 2, uniqueItems: true },
      nested: { type: "object", required: ["x"], properties: { x: { enum: [1] } }, maxProperties: 2 },
      either: { oneOf: [{ type: "string" }, { type: "object", required: ["x"] }] },
    },
    additionalProperties: false,
  });

  test.each<[string, object]>([
    ["a value", { id: unknownValue, size: unknownValue }],
    ["a whole list", { id: "abc", list: unknownValue }],
    ["an item of a list", { id: "abc", list: [1, unknownValue] }],
    ["a value inside an object", { id: "abc", nested: { x: unknownValue } }],
    ["one of several shapes", { id: "abc", either: unknownValue }],
    ["a part of one of several shapes", { id: "abc", either: { x: unknownValue } }],
  ])("violates nothing: %s", (_, value) => {
    expect(schema.violations(value)).toEqual([]);
  });

  const basic = { required: ["user"], properties: { user: { type: "string" }, password: { type: "string" } } };
  const byToken = { required: ["token"], properties: { token: { type: "string", minLength: 8 } } };
  const login = { type: "object", oneOf: [basic, byToken] };
  const conditional = {
    if: { properties: { kind: { const: "basic" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: basic,
    else: byToken,
  };

  test.each<[string, JsonObject, object]>([
    ["oneOf", { properties: { login } }, { login: { token: unknownValue } }],
    ["anyOf at the root", { anyOf: [basic, byToken] }, { token: unknownValue }],
    [
      "oneOf behind references",
      {
        properties: { login: { oneOf: [{ $ref: "#/$defs/basic" }, { $ref: "#/$defs/byToken" }] } },
        $defs: { basic, byToken },
      },
      { login: { token: unknownValue } },
    ],
    ["a condition", { properties: { login: conditional } }, { login: { kind: unknownValue, user: "ada" } }],
    [
      "a condition, with a known branch",
      { properties: { login: conditional } },
      { login: { kind: "x", token: unknownValue } },
    ],
    ["not", { not: { required: ["token"] } }, { token: unknownValue }],
  ])("violates no rule of a choice that it may decide: %s", (_, schema, value) => {
    expect(compileReleaseSchema(schema).violations(value)).toEqual([]);
  });

  const nested = { required: ["user"], properties: { user: { $ref: "#/$defs/text" } } };
  const text = { type: "string" };

  test.each<[string, JsonObject, object]>([
    [
      "a branch behind a reference that has one itself",
      { oneOf: [{ $ref: "#/$defs/nested" }, { $ref: "#/$defs/byToken" }], $defs: { nested, byToken, text } },
      { token: unknownValue },
    ],
    [
      "an item that a list must contain",
      { properties: { list: { contains: { properties: { kind: { const: "b" } } } } } },
      { list: [{ kind: "a" }, { kind: unknownValue }] },
    ],
    [
      "a choice in the branch of a condition that does not depend on it",
      {
        if: { properties: { mode: { const: "custom" } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { login: { oneOf: [basic, byToken] } } },
      },
      { mode: "custom", login: { token: unknownValue } },
    ],
    [
      "how many items fit",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        properties: { list: { contains: { minLength: 3 }, maxContains: 1 } },
      },
      { list: ["abc", "x", "def", unknownValue] },
    ],
    [
      "shapes that exclude each other's keys",
      {
        oneOf: [
          { required: ["user"], properties: { token: false, url: false } },
          { required: ["token", "url"], properties: { token: text, user: false } },
        ],
      },
      { token: unknownValue, url: "https://x" },
    ],
    [
      "shapes that share a definition",
      {
        $defs: { text },
        oneOf: [
          { required: ["to"], properties: { to: { $ref: "#/$defs/text" } } },
          { required: ["to", "key"], properties: { to: { type: "object" }, key: { $ref: "#/$defs/text" } } },
        ],
      },
      { to: { host: "db" }, key: unknownValue },
    ],
    ["several shapes that fit", { oneOf: [{ required: ["token"] }, {}] }, { token: unknownValue }],
    [
      "a condition about all keys",
      { if: { additionalProperties: text }, else: { required: ["x"] } },
      { a: unknownValue },
    ],
  ])("may also decide %s", (_, schema, value) => {
    expect(compileReleaseSchema(schema).violations(value)).toEqual([]);
  });

  test.each<[string, JsonObject, object, string[]]>([
    [
      "the branch of a condition that does not depend on it, and what is outside of the choice",
      {
        properties: { limit: { type: "integer" } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        allOf: [{ if: { properties: { region: { const: "us" } } }, then: { required: ["zip"] } }],
      },
      { region: "us", limit: "many", token: unknownValue },
      ["limit", "zip", ""],
    ],
    [
      "what follows from the existence of a key",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ["token"] }, then: { required: ["tokenUrl"] } },
      { token: unknownValue },
      ["tokenUrl", ""],
    ],
    [
      "branches of which none can fit",
      { properties: { login } },
      { login: { other: unknownValue } },
      ["login.user", "login.token", "login"],
    ],
    [
      "a list that cannot contain it",
      { properties: { list: { contains: text } } },
      { list: [1], x: unknownValue },
      ["list.0", "list"],
    ],
    [
      "what a condition demands of another key",
      { properties: { login: conditional } },
      { login: { kind: "x", token: "short", other: unknownValue } },
      ["login.token", "login"],
    ],
  ])("does not hide %s", (_, schema, value, paths) => {
    const violations = compileReleaseSchema(schema).violations(value);
    expect(new Set(violations.map(({ path }) => path.join(".")))).toEqual(new Set(paths));
  });

  test("does not hide the violations of choices that it cannot decide", () => {
    const violations = (value: object) =>
      compileReleaseSchema({ properties: { a: login, b: login, c: { type: "integer" } } }).violations(value);
    const paths = violations({ a: { token: unknownValue }, b: { token: "short" }, c: "x" }).map(({ path }) =>
      path.join("."),
    );
    expect(new Set(paths)).toEqual(new Set(["b.user", "b.token", "b", "c"]));
  });

  test("does not hide the violations of known values", () => {
    const value = { size: 0, other: unknownValue, nested: { y: unknownValue } };
    const paths = schema.violations(value).map(({ path }) => path.join("."));
    expect(paths.sort()).toEqual(["id", "nested.x", "other", "size"]);
  });
});

test.each<[JsonObject, boolean]>([
  [{ if: {}, else: { properties: { a: { default: 1 } } } }, true],
  [{ properties: { a: { dependencies: { b: { properties: { c: { default: 1 } } } } } } }, true],
  [{ dependentSchemas: {} }, true],
  [{ properties: { a: { default: 1 } }, allOf: [{ properties: { b: { default: 2 } } }] }, false],
])("whether defaults of %j may depend on other keys: %s", (schema, areConditional) => {
  expect(compileReleaseSchema(schema).hasConditionalDefaults()).toBe(areConditional);
});

describe("missing secrets", () => {
  const secret = { writeOnly: true };
  const properties = { user: {}, password: secret, key: secret, token: { type: "string", writeOnly: true } };
  const basic = { required: ["user", "password"] };
  const byToken = { required: ["token"] };
  const byText = { required: ["token"], properties: { token: { type: "string" } } };
  const kind = (name: string, key: string) => ({ properties: { kind: { const: name } }, required: [key] });
  const [always, ofSeveral, undecided] = ["always", "one of several", "undecided"] as const;

  test.each<[string, JsonObject, object, Record<string, MissingSecret["isRequired"]>]>([
    ["of a schema that requires them", { required: ["user", "password"] }, {}, { password: always }],
    [
      "on which another key depends",
      { dependencies: { user: ["password"] } },
      { user: "u", token: unknownValue },
      { password: always },
    ],
    ["that the value has", basic, { user: "u", password: unknownValue }, {}],
    ["of shapes", { oneOf: [basic, byToken] }, { user: "u" }, { password: ofSeveral, token: ofSeveral }],
    [
      "of a shape beside one that an unknown value fits",
      { oneOf: [basic, byToken] },
      { user: "u", token: unknownValue },
      {},
    ],
    [
      "of a shape beside one that an unknown value may fit",
      { oneOf: [basic, byText] },
      { user: "u", token: unknownValue },
      { password: undecided },
    ],
    ["of a shape that lacks another key", { oneOf: [basic, byText] }, { token: unknownValue }, {}],
    [
      "of a shape that lacks another key, without an unknown value",
      { oneOf: [basic, byToken] },
      {},
      { token: ofSeveral },
    ],
    [
      "of a shape of another kind",
      { oneOf: [kind("a", "key"), kind("b", "password")] },
      { kind: "b" },
      { password: ofSeveral },
    ],
    [
      "of shapes in a shape, one of which lacks another key",
      {
        oneOf: [
          { required: ["user"], anyOf: [{ required: ["password"] }, { required: ["keyId", "key"] }] },
          { required: ["clientId", "token"] },
        ],
      },
      { user: "u" },
      { password: ofSeveral },
    ],
    [
      "of shapes in a shape beside one that an unknown value may fit",
      { oneOf: [{ required: ["user"], anyOf: [{ required: ["password"] }, { required: ["key"] }] }, byText] },
      { user: "u", token: unknownValue },
      { password: undecided, key: undecided },
    ],
    [
      "of a shape that has too few keys without them",
      { oneOf: [{ ...basic, minProperties: 2 }, byToken] },
      { user: "u" },
      { password: ofSeveral, token: ofSeveral },
    ],
    [
      "of a condition that holds",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ["user"] }, then: { required: ["password"] } },
      { user: "u", token: unknownValue },
      { password: always },
    ],
    [
      "of a condition that an unknown value decides",
      { if: { properties: { user: { const: "u" } } }, else: { required: ["password"] } },
      { user: unknownValue },
      { password: undecided },
    ],
  ])("%s", (_, schema, value, expected) => {
    const missing = compileReleaseSchema({ properties, ...schema }).missingSecrets(value);
    expect(Object.fromEntries(missing.map(({ path, isRequired }) => [path.join("."), isRequired]))).toEqual(expected);
  });

  test("of a value that is nested too deep are none", () => {
    let deep = {};
    for (let depth = 0; depth < 300; depth += 1) deep = { deep };
    expect(compileReleaseSchema({ properties, required: ["password"] }).missingSecrets(deep)).toEqual([]);
    expect(noSchema.missingSecrets({})).toEqual([]);
  });
});

describe("defaults", () => {
  const schema = compileReleaseSchema({
    properties: { region: { default: "eu" }, deep: { properties: { a: { default: 1 } } }, id: {} },
    required: ["id"],
  });

  test("fill absent keys of every object that is there", () => {
    expect(schema.withDefaults({ deep: {} })).toEqual({ region: "eu", deep: { a: 1 } });
    expect(schema.withDefaults({ region: "us" })).toEqual({ region: "us" });
  });

  test("do not change the value itself", () => {
    const value = { deep: {} };
    schema.withDefaults(value);
    expect(value).toEqual({ deep: {} });
  });
});

describe("drafts", () => {
  test.each([
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ])("%s", ($schema) => {
    const schema = compileReleaseSchema({ $schema, properties: { a: { type: "integer" } } });
    expect(schema.violations({ a: "x" })).toHaveLength(1);
  });

  test("06", () => {
    const $schema = "http://json-schema.org/draft-06/schema#";
    const schema = compileReleaseSchema({ $schema, properties: { a: { type: "integer" } } });
    expect(schema.violations({ a: "x" })).toHaveLength(1);
  });

  test("2020-12 has prefixItems", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const schema = compileReleaseSchema({ $schema, properties: { a: { prefixItems: [{ type: "integer" }] } } });
    expect(schema.violations({ a: ["x"] })).toMatchObject([{ path: ["a", "0"] }]);
  });

  test.each<[string, JsonObject]>([
    ["an unknown draft", { $schema: "https://json-schema.org/draft/2038-01/schema" }],
    ["a remote reference", { $ref: "https://schemas.example.com/a.json" }],
    ["a local reference to nothing", { $ref: "#/definitions/none" }],
    ["an invalid schema", { type: "colour" }],
    ["an asynchronous schema", { $async: true, properties: { a: { type: "string" } } }],
    ["a schema nested 5,000 levels deep", nested(5000)],
  ])("cannot be compiled: %s", (_, schema) => {
    expect(() => compileReleaseSchema(schema)).toThrow(UnusableSchemaError);
  });

  test("unknown keywords and formats are ignored", () => {
    const properties = { a: { format: "time", widget: "box" }, b: { id: "b", name: "B", nullable: true, min: "1" } };
    const schema = compileReleaseSchema({ "x-order": 1, name: "configs", ref: "main", properties });
    expect(schema.violations({ a: "14:30", b: 0 })).toEqual([]);
  });
});

describe("a check that takes too long, or that the validator throws in", () => {
  const evil = "a".repeat(40);
  test.each<[string, JsonObject, JsonObject, string]>([
    ["a regular expression that backtracks", { properties: { a: { pattern: "(a+)+$" } } }, { a: `${evil}!` }, "400 ms"],
    [
      "a backtracking pattern with a single repetition",
      { properties: { a: { pattern: "^(a|a)*$" } } },
      { a: `${evil}!` },
      "400 ms",
    ],
    [
      "a backtracking pattern without repetition",
      { properties: { a: { pattern: `${"(a|a)".repeat(40)}$` } } },
      { a: `${evil}!` },
      "400 ms",
    ],
    [
      "a backtracking pattern of keys",
      { patternProperties: { "(a+)+$": { type: "number" } } },
      { [`${evil}!`]: 1 },
      "400 ms",
    ],
    ["references that double with every step", doubling(40), {}, "400 ms"],
    ["a reference to itself", { allOf: [{ $ref: "#" }] }, {}, "circular"],
    [
      "a value with its own toString, which the validator calls",
      { properties: { a: { enum: [{}] } } },
      { a: { toString: 1 } },
      "toString",
    ],
  ])("is skipped, with one warning: %s", (_, schema, value, reason) => {
    const warnings: string[] = [];
    const compiled = compileReleaseSchema(schema, { onSkipped: (warning) => warnings.push(warning) });

    expect(compiled.violations(value)).toEqual([]);
    expect(compiled.violations(value)).toEqual([]);
    expect(compiled.withDefaults(value)).toEqual(value);

    expect(warnings).toEqual([expect.stringContaining(reason)]);
    expect(compiled.hasSkippedChecks()).toBe(true);
  });

  test("does not stop the checks of other values", () => {
    const properties = { a: { pattern: "^(a+)+$" }, region: { enum: ["eu"] } };
    const compiled = compileReleaseSchema({ properties });
    expect(compiled.violations({ a: `${evil}!` })).toEqual([]);
    expect(compiled.violations({ region: "xx" })).toHaveLength(1);
  });

  test("is not skipped where the pattern only looks slow", () => {
    const compiled = compileReleaseSchema({ properties: { a: { pattern: "^(a+)+$" } } });
    expect(compiled.violations({ a: evil })).toEqual([]);
    expect(compiled.violations({ a: "b" })).toHaveLength(1);
  });

  test("does not affect annotations, however many references lead to them", () => {
    const compiled = compileReleaseSchema({ ...doubling(40), properties: { a: { writeOnly: true } } });
    expect(compiled.isHidden(["b", "b", "b"])).toBe(false);
    expect(compiled.isHidden(["a"])).toBe(true);
  });
});

describe("odd values", () => {
  test("nested too deep are one violation, and get no defaults", () => {
    const compiled = compileReleaseSchema({ properties: { a: { default: 1 } } });
    const deep = nested(5000);
    expect(compiled.violations(deep)).toMatchObject([{ path: [], message: "is nested more than 200 levels deep" }]);
    expect(compiled.withDefaults(deep)).toBe(deep);
  });

  test("have only their own keys, not those of Object.prototype", () => {
    const text = { type: "string" };
    const compiled = compileReleaseSchema({ properties: { constructor: text, a: text }, required: ["toString"] });
    expect(compiled.violations({})).toMatchObject([{ path: ["toString"], message: "is required" }]);
    const hidden = compileReleaseSchema({ properties: {}, additionalProperties: { writeOnly: true } });
    expect(hidden.isHidden(["constructor"])).toBe(true);
  });
});

function nested(depth: number): JsonObject {
  return JSON.parse(`${'{"properties":'.repeat(depth)}{}${"}".repeat(depth)}`);
}

/** Each definition asks twice for the next. */
function doubling(count: number): JsonObject {
  const twice = (at: number): JsonObject => ({ allOf: [{ $ref: `#/$defs/${at}` }, { $ref: `#/$defs/${at}` }] });
  const chain = Array.from({ length: count }, (_, at): [string, JsonObject] => [
    `${at}`,
    at === 0 ? {} : twice(at - 1),
  ]);
  return { ...twice(count - 1), $defs: Object.fromEntries(chain) };
}

const secret = { type: "string", format: "password" };

describe("a value that reads may hide", () => {
  const schema = compileReleaseSchema({
    definitions: {
      token: { type: "string", format: "password" },
      loop: { properties: { next: { $ref: "#/definitions/loop" } } },
    },
    properties: {
      password: { format: "password" },
      never: { writeOnly: true },
      referred: { $ref: "#/definitions/token" },
      either: { anyOf: [{ type: "null" }, { format: "password" }] },
      list: { items: { properties: { key: { format: "password" } } } },
      map: { additionalProperties: { writeOnly: true } },
      vault: { writeOnly: true, properties: { inside: {} } },
      loop: { $ref: "#/definitions/loop" },
      plain: { type: "string" },
    },
  });

  test.each([
    [["password"], true, false],
    [["never"], true, true],
    [["referred"], true, false],
    [["either"], true, false],
    [["list", "0", "key"], true, false],
    [["map", "any"], true, true],
    [["vault", "inside"], true, true],
    [["plain"], false, false],
    [["plain", "deeper"], false, false],
    [["unheard-of"], false, false],
    [["loop", "next", "next", "next"], false, false],
  ])("%o", (path, isHidden, isWriteOnly) => {
    expect(schema.isHidden(path)).toBe(isHidden);
    expect(schema.isWriteOnly(path)).toBe(isWriteOnly);
  });

  test.each([
    ["a pattern of keys", { patternProperties: { "^key_": secret } }, ["key_a"], ["other"]],
    [
      "additional keys beside a pattern",
      { patternProperties: { "^k": {} }, additionalProperties: secret },
      ["x"],
      ["k"],
    ],
    ["the first items", { properties: { l: { prefixItems: [{}, secret] } } }, ["l", "1"], ["l", "0"]],
    ["items in a list", { properties: { l: { items: [{}, secret] } } }, ["l", "1"], ["l", "0"]],
    ["the other items", { properties: { l: { items: [{}], additionalItems: secret } } }, ["l", "4"], ["l", "0"]],
    ["a contained item", { properties: { l: { contains: secret } } }, ["l", "0"], ["l"]],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ["a condition", { if: {}, then: { properties: { a: secret } } }, ["a"], ["b"]],
    ["the else of a condition", { if: {}, else: { properties: { a: secret } } }, ["a"], ["b"]],
    ["a dependent schema", { dependentSchemas: { k: { properties: { a: secret } } } }, ["a"], ["k"]],
    ["a dependency", { dependencies: { k: { properties: { a: secret } }, l: ["m"] } }, ["a"], ["l"]],
    ["unevaluated keys", { properties: { k: {} }, unevaluatedProperties: secret }, ["a"], ["k"]],
    ["a definition", { properties: { a: { $ref: "#/$defs/s" } }, $defs: { s: secret } }, ["a"], ["s"]],
    [
      "an item of a definition",
      { properties: { a: { $ref: "#/allOf/0/items/1" } }, allOf: [{ items: [{}, secret] }] },
      ["a"],
      ["b"],
    ],
    ["an anchor", { properties: { a: { $ref: "#s" } }, $defs: { s: { $anchor: "s", ...secret } } }, ["a"], ["s"]],
    [
      "an anchor of drafts 6 and 7",
      { properties: { a: { $ref: "#s" } }, definitions: { s: { $id: "#s", ...secret } } },
      ["a"],
      ["s"],
    ],
    [
      "a dynamic anchor",
      { properties: { a: { $dynamicRef: "#s" } }, $defs: { s: { $dynamicAnchor: "s", ...secret } } },
      ["a"],
      ["s"],
    ],
    [
      "a URI within the document",
      {
        $id: "https://example.com/schemas/root.json",
        properties: { a: { $ref: "part.json#/$defs/s" }, b: { $ref: "/schemas/root.json#/$defs/open" } },
        $defs: { part: { $id: "part.json", $defs: { s: secret } }, open: {} },
      },
      ["a"],
      ["b"],
    ],
  ])("is found through %s", (_, schema, hidden, open) => {
    const drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"];
    const compiled = drafts.flatMap(($schema) => {
      try {
        return [compileReleaseSchema({ $schema, ...schema })];
      } catch {
        return []; // each draft has keywords that the other refuses
      }
    });
    expect(compiled.length).toBeGreaterThan(0);
    for (const one of compiled) {
      expect(one.isHidden(hidden)).toBe(true);
      expect(one.isHidden(open)).toBe(false);
    }
  });

  test("includes a key whose pattern takes too long to match", () => {
    const compiled = compileReleaseSchema({ patternProperties: { "^(a+)+$": { writeOnly: true } } });
    expect(compiled.isHidden([`${"a".repeat(40)}!`])).toBe(true);
  });

  test("is none where there is no schema", () => {
    expect(noSchema.isHidden(["a"])).toBe(false);
    expect(noSchema.violations({ a: 1 })).toEqual([]);
    expect(noSchema.withDefaults({ a: 1 })).toEqual({ a: 1 });
  });
});
