import assert from "node:assert/strict";
import fc from "fast-check";
import { isDeeperThan, maxDepth } from "../../src/json/depth.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json/json-value.ts";
import { parseJson } from "../../src/json/parse-json.ts";
import { compileReleaseSchema, type ReleaseSchema, UnusableSchemaError } from "../../src/json-schema/index.ts";
import { documented } from "./client-operations.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";

/** Whatever a release has for a schema and a tenant for configs: findings, or a schema that is said to be of no use. */
export const configSchemas = fuzzProperty("config schemas, each with 8 configs", 150, async () => {
  return {
    // To compile a schema takes longer than all else.
    inputs: fc.record({
      schema: schemas,
      texts: fc.array(configTexts, { minLength: 8, maxLength: 8 }),
      path: fc.array(names, { maxLength: 4 }),
    }),
    check: async ({ schema, texts, path }) => {
      const read = parseJson(schema); // the client reads no schema that is deeper than maxDepth
      if (!read.isJson || !isJsonObject(read.value)) return;
      const compiled = compiledOrRefused(read.value);
      if (compiled === undefined) return;
      for (const text of texts) checkOne(compiled, text);
      assert.equal(typeof compiled.isHidden(path), "boolean");
      assert.equal(typeof compiled.isWriteOnly(path), "boolean");
      assert.deepEqual(Object.keys(Object.prototype), [], "the prototype of all objects was changed");
      // A promise that is rejected later would end the process.
      await new Promise((resolve) => setImmediate(resolve));
    },
    [Symbol.asyncDispose]: async () => {},
  } satisfies Subject<{ schema: string; texts: string[]; path: string[] }>;
});

function checkOne(compiled: ReleaseSchema, text: string): void {
  const configs: JsonObject = JSON.parse(text);
  for (const problem of compiled.violations(configs)) assert.equal(typeof problem.message, "string");
  assert.ok(isJsonObject(compiled.withDefaults(configs)));
  if (!isDeeperThan(configs, maxDepth)) assert.deepEqual(configs, JSON.parse(text), "the configs were changed");
}

function compiledOrRefused(schema: JsonObject): ReleaseSchema | undefined {
  try {
    return compileReleaseSchema(schema, { limitMilliseconds: 20 });
  } catch (error) {
    assert.ok(error instanceof UnusableSchemaError, String(error));
    return undefined;
  }
}

const names = fc.constantFrom("a", "b", "c", "region", "__proto__", "constructor", "toString", "0");

const patterns = [
  ["^a+$", "(a+)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "(.*)*$", "(a|aa)+$", "([a-zA-Z]+)*$", "^(\\w+\\s?)*$"],
  ["^(a|a)*$", "(a|a)".repeat(30), "a+$", "^a?".repeat(30)],
  ["[", "(?<n>a)\\k<n>", "\\p{L}", "\\u{110000}", "(?=a)*", "", "^", "a{99999999}", "(?:)", "\\", "(".repeat(2000)],
].flat();

const drafts = [
  "http://json-schema.org/draft-07/schema#",
  "http://json-schema.org/draft-06/schema#",
  "http://json-schema.org/draft-04/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
  "https://example.com/draft-2020-12/mine",
  "nonsense",
];

const references = [
  ["#", "#/definitions/a", "#/definitions/b", "#/$defs/a", "#/properties/a", "#a", "#/definitions/__proto__", "#/%zz"],
  [
    "https://example.com/other.json",
    "other.json#/a",
    "file:///etc/passwd",
    "data:,{}",
    "",
    "#/nowhere",
    "//",
    "urn:x:y",
  ],
].flat();

const { schema } = fc.letrec<{ schema: JsonValue; named: JsonObject }>((tie) => {
  const list = fc.array(tie("schema"), { maxLength: 3 });
  const keyword: fc.Arbitrary<[string, JsonValue]> = fc.oneof(
    fc.tuple(fc.constant("type"), fc.constantFrom<JsonValue>("object", "string", "number", ["null", "array"], "any")),
    fc.tuple(fc.constant("properties"), tie("named")),
    fc.tuple(fc.constant("properties"), tie("named")),
    fc.tuple(
      fc.constantFrom("patternProperties", "dependencies", "dependentSchemas", "definitions", "$defs"),
      tie("named"),
    ),
    fc.tuple(fc.constantFrom("additionalProperties", "items", "not", "if", "then", "else", "contains"), tie("schema")),
    fc.tuple(fc.constantFrom("propertyNames", "unevaluatedProperties", "additionalItems"), tie("schema")),
    fc.tuple(fc.constantFrom("allOf", "anyOf", "oneOf", "prefixItems", "items"), list),
    fc.tuple(fc.constantFrom("$ref", "$recursiveRef", "$dynamicRef"), fc.constantFrom<JsonValue>(...references)),
    fc.tuple(
      fc.constantFrom("$id", "$anchor", "$dynamicAnchor", "id"),
      fc.constantFrom<JsonValue>("a", "#a", "http://x/y"),
    ),
    fc.tuple(fc.constant("pattern"), fc.constantFrom<JsonValue>(...patterns)),
    fc.tuple(
      fc.constant("format"),
      fc.constantFrom<JsonValue>("email", "uri", "regex", "password", "date-time", "own"),
    ),
    fc.tuple(fc.constantFrom("default", "const", "enum", "examples"), anyJson),
    fc.tuple(fc.constantFrom("required", "dependentRequired"), fc.oneof(anyJson, fc.array(names))),
    fc.tuple(
      fc.constantFrom("writeOnly", "$async", "nullable", "uniqueItems"),
      fc.constantFrom<JsonValue>(true, "yes"),
    ),
    fc.tuple(fc.constantFrom("minimum", "maxLength", "multipleOf", "minItems", "maxProperties"), anyJson),
    fc.tuple(fc.constant("$schema"), fc.constantFrom<JsonValue>(...drafts)),
    fc.tuple(fc.constantFrom("discriminator", "$data", "$vocabulary", "$comment", "__proto__"), anyJson),
  );
  const named = fc
    .array(fc.tuple(fc.oneof(names, fc.constantFrom(...patterns)), tie("schema")), { maxLength: 3 })
    .map((pairs): JsonObject => Object.fromEntries(pairs));
  const object = fc.array(keyword, { maxLength: 4 }).map((pairs): JsonObject => Object.fromEntries(pairs));
  return {
    schema: fc.oneof({ maxDepth: 4 }, fc.boolean(), object, object, object),
    named,
  };
});

const deep = fc.constantFrom(10, 99, 100, 1000, 20_000);
/** As texts: nothing that shows a value survives the depth of some. */
const schemas: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: textOf(schema) },
  { weight: 8, arbitrary: textOf(fc.constantFrom(...releaseSchemas()).chain(mutated)) },
  { weight: 8, arbitrary: textOf(anyJson) },
  deep.map((depth) => nestedJson(depth, '{"properties":{"a":', "}}")),
  deep.map((depth) => nestedJson(depth, '{"allOf":[', "]}")),
  // each definition asks twice for the next: short, and without an end in sight
  textOf(
    fc.constantFrom(3, 12, 40).map((count): JsonObject => {
      const twice = (at: number): JsonObject => ({ allOf: [{ $ref: `#/$defs/${at}` }, { $ref: `#/$defs/${at}` }] });
      const chain = Array.from({ length: count }, (_, at): [string, JsonObject] => [
        `${at}`,
        at === 0 ? {} : twice(at - 1),
      ]);
      return { ...twice(count - 1), $defs: Object.fromEntries(chain) };
    }),
  ),
  textOf(
    fc.constantFrom<JsonObject>(
      { allOf: [{ $ref: "#" }, { $ref: "#" }] },
      {
        properties: { a: { $ref: "#" }, b: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } },
        additionalProperties: { $ref: "#" },
      },
      { patternProperties: { "(a+)+$": { type: "string" } } },
      { additionalProperties: { type: "array", uniqueItems: true } },
    ),
  ),
);

const evil = fc.constantFrom(
  "a".repeat(40),
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
  "x".repeat(5000),
  "a a ".repeat(50),
);
const value: fc.Arbitrary<JsonValue> = fc.oneof(anyJson, evil, fc.constantFrom(0, 100, 3000).map(manyObjects));
const configTexts: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 60,
    arbitrary: textOf(
      fc
        .array(fc.tuple(fc.oneof(names, evil), value), { maxLength: 4 })
        .map((pairs): JsonObject => Object.fromEntries(pairs)),
    ),
  },
  deep.map((depth) => nestedJson(depth, '{"a":', "}")),
  deep.map((depth) => nestedJson(depth, '{"a":[', "]}")),
);

function releaseSchemas(): JsonObject[] {
  return documented("integration-release").flatMap((release) => {
    const schema = isJsonObject(release) ? release.config_schema : undefined;
    return isJsonObject(schema) ? [schema] : [];
  });
}

function textOf(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<string> {
  return values.filter(isJsonObject).map((object) => JSON.stringify(object));
}

function nestedJson(depth: number, open: string, close: string): string {
  return `${open.repeat(depth)}{}${close.repeat(depth)}`;
}

function manyObjects(count: number): JsonValue {
  return Array.from({ length: count }, (_, at) => ({ at }));
}
