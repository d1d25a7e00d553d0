import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/json-value.ts";
import { compileReleaseSchema } from "../../src/json-schema/index.ts";
import { splitViolations } from "../../src/settings/split-violations.ts";

const secret = { type: "string", format: "password", pattern: "^[0-9]+$" };
const login = {
  oneOf: [
    { properties: { kind: { const: "basic" }, password: secret }, required: ["password"] },
    { properties: { kind: { const: "token" }, token: secret }, required: ["token"] },
  ],
};

describe("violations of live values, some of which are hidden", () => {
  test.each<[string, JsonObject, JsonObject, { certain: string[]; notChecked: string[] }]>([
    ["a mask", { properties: { a: { type: "number" } } }, { a: "***" }, { certain: [], notChecked: ["a"] }],
    [
      "whatever reads show in place of a secret",
      { properties: { a: secret } },
      { a: "sha256:9f86d0" },
      { certain: [], notChecked: ["a"] },
    ],
    [
      "the same of what is no secret",
      { properties: { a: { type: "null" } } },
      { a: "sha256:9f86d0" },
      { certain: ["a"], notChecked: [] },
    ],
    ["a missing secret", { properties: { a: secret }, required: ["a"] }, {}, { certain: [], notChecked: ["a"] }],
    ["a missing value", { properties: { a: secret }, required: ["b"] }, {}, { certain: ["b"], notChecked: [] }],
    [
      "a secret on which another value depends",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        properties: { a: secret },
        dependentRequired: { b: ["a", "c"] },
      },
      { b: 1 },
      { certain: ["c"], notChecked: ["a"] },
    ],
    ["a mask at an unknown key", { additionalProperties: false }, { a: "***" }, { certain: ["a"], notChecked: [] }],
    ["a mask at a forbidden key", { properties: { a: false } }, { a: "***" }, { certain: ["a"], notChecked: [] }],
    [
      "the number of items",
      { properties: { a: { maxItems: 1 } } },
      { a: ["***", 1] },
      { certain: ["a"], notChecked: [] },
    ],
    ["the number of keys", { maxProperties: 1 }, { a: "***", b: 1 }, { certain: [""], notChecked: [] }],
    ["too few keys", { minProperties: 2 }, { a: "***" }, { certain: [""], notChecked: [] }],
    [
      "too few keys without a secret",
      { properties: { b: secret }, minProperties: 2 },
      { a: 1 },
      { certain: [], notChecked: [""] },
    ],
    [
      "equal masks",
      { properties: { a: { uniqueItems: true } } },
      { a: ["***", "***"] },
      { certain: [], notChecked: ["a"] },
    ],
    ["equal items", { properties: { a: { uniqueItems: true } } }, { a: [1, 1] }, { certain: ["a"], notChecked: [] }],
    [
      "a type beside a mask",
      { properties: { a: { type: "array" } } },
      { a: { b: "***" } },
      { certain: ["a"], notChecked: [] },
    ],
    [
      "a value beside a mask",
      { properties: { b: { const: 1 } } },
      { a: "***", b: 2 },
      { certain: ["b"], notChecked: [] },
    ],
    ["what must not be", { not: { required: ["a"] } }, { a: 1 }, { certain: [""], notChecked: [] }],
    [
      "a choice with a mask",
      { properties: { login } },
      { login: { kind: "basic", password: "***" } },
      { certain: [], notChecked: ["login"] },
    ],
    [
      "a choice without its secret",
      { properties: { login } },
      { login: { kind: "basic" } },
      { certain: [], notChecked: ["login"] },
    ],
    [
      "a choice between references, and a value that none of them is about",
      {
        properties: {
          login: { oneOf: [{ $ref: "#/$defs/basic" }, { $ref: "#/$defs/token" }] },
          region: { enum: ["eu"] },
        },
        $defs: { basic: login.oneOf[0] ?? {}, token: login.oneOf[1] ?? {} },
      },
      { login: { kind: "basic" }, region: "us" },
      { certain: ["region"], notChecked: ["login"] },
    ],
    [
      "a condition with a mask",
      { if: { properties: { a: { const: 1 } } }, else: { required: ["b"] }, required: ["c"] },
      { a: "***" },
      { certain: ["c"], notChecked: [""] },
    ],
  ])("%s", (_, schema, live, expected) => {
    const compiled = compileReleaseSchema(schema);
    const violations = compiled.violations(live);
    expect(violations).not.toEqual([]);
    const { certain, notChecked } = splitViolations(violations, live, compiled);
    expect({
      certain: certain.map(({ path }) => path.join(".")),
      notChecked: notChecked.map((path) => path.join(".")),
    }).toEqual(expected);
  });
});
