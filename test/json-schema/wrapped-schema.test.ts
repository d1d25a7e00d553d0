import { expect, test } from "vitest";
import type { JsonObject } from "../../src/json/json-value.ts";
import { compileReleaseSchema, schemaParts } from "../../src/json-schema/index.ts";

const inner = { properties: { region: { enum: ["eu"] } }, required: ["region"] };
const uischema = { type: "VerticalLayout", elements: [] };

test.each<[string, JsonObject]>([
  ["with a form", { schema: inner, uischema }],
  ["without a form", { schema: inner }],
  ["with a form that is null", { schema: inner, uischema: null }],
  ["with unknown keys and notes", { title: "Configs", $schema: "x", name: "configs", version: 2, schema: inner }],
  ["with definitions of its own", { definitions: {}, schema: inner }],
  ["around a schema without keywords", { schema: { ...inner, name: "configs" } }],
])("is a wrapper: %s", (_, given) => {
  expect(schemaParts(given).schema).toMatchObject(inner);
  expect(compileReleaseSchema(given).violations({ region: "us" })).toMatchObject([{ path: ["region"] }]);
});

test.each<[string, JsonObject]>([
  ["the JSON Schema itself", inner],
  ["with a config that is named schema", { properties: { schema: { type: "object" }, uischema: {} } }],
  ["with an unknown keyword schema beside its keywords", { type: "object", schema: { type: "string" } }],
  [
    "with an unknown keyword schema beside a reference",
    { $ref: "#/definitions/a", definitions: { a: {} }, schema: {} },
  ],
  ["with an unknown keyword schema that is no object", { schema: "ledger/1", title: "x" }],
  ["with a schema that is true", { schema: true }],
  ["of everything", {}],
  ["with a form beside its keywords", { ...inner, uischema }],
])("is no wrapper: %s", (_, given) => {
  expect(schemaParts(given)).toEqual({ schema: given, uischema: undefined });
});

test("a config that is named schema is checked, in both forms", () => {
  const schema = { properties: { schema: { type: "string" } }, additionalProperties: false };
  for (const given of [schema, { schema }, { schema, uischema }]) {
    const compiled = compileReleaseSchema(given);
    expect(compiled.violations({ schema: "a" })).toEqual([]);
    expect(compiled.violations({ schema: 1, shema: 1 })).toMatchObject([
      { path: ["shema"], message: 'is not a key of the schema; did you mean "schema"?' },
      { path: ["schema"] },
    ]);
  }
});

test("only the outer wrapper counts", () => {
  expect(schemaParts({ schema: { schema: inner } }).schema).toEqual({ schema: inner });
});

test("a release's form is that of its wrapper", () => {
  expect(schemaParts({ schema: inner, uischema })).toEqual({ schema: inner, uischema });
  expect(schemaParts({ schema: inner, uischema: [] })).toEqual({ schema: inner, uischema: undefined });
});
