import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json/json-value.ts";
import { compileReleaseSchema, noSchema } from "../../src/json-schema/index.ts";
import { portableKeys } from "../../src/settings/portable-keys.ts";
import { objectOf } from "../json/object-of.ts";

const schema = compileReleaseSchema({
  type: "object",
  properties: {
    phrase: { type: "string", format: "password" },
    login: { type: "object", properties: { word: { writeOnly: true } } },
  },
});

test("keys that a stack can declare are kept with their values", () => {
  const live = { region: "eu", size: 5, on: true, list: ["a", { b: null }], none: null, empty: {} };
  expect(portableKeys("configs", live, schema)).toEqual({ kept: live, leftOut: [] });
});

describe("a key is left out, because it looks like a secret", () => {
  test.each<[string, string, JsonValue]>([
    ["by the schema", "phrase", "x"],
    ["by the schema, although it is null", "phrase", null],
    ["by the schema, although it is false", "phrase", false],
    ["by the schema, inside", "login", { user: "ada", word: "x" }],
    ["by its name", "api_token", "x"],
    ["by its name, although it is a number", "pin", 1234],
    ["by its name, although it is an object", "credentials", { region: "eu" }],
    ["by the name of a part", "crm", { deep: [{ password: "x" }] }],
    ["by its form", "setting", "Bearer abc123"],
    ["by the form of a part", "setting", ["a", "Bearer abc123"]],
    ["as it is a mask", "setting", "***"],
    ["as a part is a mask", "setting", { a: ["***"] }],
  ])("%s", (_, key, value) => {
    const live = { region: "eu", [key]: value };
    const leftOut = [{ path: ["configs", key], reason: "looks like a secret" }];
    expect(portableKeys("configs", live, schema)).toEqual({ kept: { region: "eu" }, leftOut });
  });

  test.each<[string, JsonValue]>([
    ["api_token", null],
    ["has_password", true],
    ["crm", { password: null, token: false }],
  ])("but not %s: %j, which no secret can be", (key, value) => {
    expect(portableKeys("configs", { [key]: value }, noSchema)).toEqual({ kept: { [key]: value }, leftOut: [] });
  });
});

describe("a key is left out, because it cannot be declared", () => {
  test.each<[string, JsonObject]>([
    ["what Pulumi reads as an encrypted value", { key: { secure: "v1:abc" } }],
    ["a list with such a value", { key: [1, { secure: "" }] }],
    ["an object with such a value", { key: { a: { b: { secure: "x" } } } }],
    ["a number that a double cannot hold", objectOf('{"key": 9007199254740993}')],
    ["a list with such a number", objectOf('{"key": [1, 1e400]}')],
  ])("%s", (_, live) => {
    const leftOut = [{ path: ["metadata", "key"], reason: "cannot be declared" }];
    expect(portableKeys("metadata", live, noSchema)).toEqual({ kept: {}, leftOut });
  });

  test.each<[JsonValue]>([
    [{ secure: 1 }],
    [{ secure: "x", more: 1 }],
    [{ secured: "x" }],
    [{ secure: null }],
    [["secure"]],
  ])("but not %j, which Pulumi reads as it is", (value) => {
    expect(portableKeys("metadata", { key: value }, noSchema)).toEqual({ kept: { key: value }, leftOut: [] });
  });
});

describe("the key secure", () => {
  test("is kept beside others", () => {
    const live = { secure: "yes", region: "eu" };
    expect(portableKeys("configs", live, noSchema)).toEqual({ kept: live, leftOut: [] });
  });

  test("is left out if it is the only one that is kept", () => {
    expect(portableKeys("configs", { secure: "yes", api_token: "x" }, noSchema)).toEqual({
      kept: {},
      leftOut: [
        { path: ["configs", "api_token"], reason: "looks like a secret" },
        { path: ["configs", "secure"], reason: "cannot be declared" },
      ],
    });
  });
});

test("has neither of the keys that `integration-platform try` keeps in metadata", () => {
  const live = { cursor: 1, integrationPlatformTry: { label: "pr-1" }, integrationPlatformTryBuilds: {} };
  expect(portableKeys("metadata", live, noSchema)).toEqual({ kept: { cursor: 1 }, leftOut: [] });
});
