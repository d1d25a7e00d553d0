import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/json/json-value.ts";
import { formatPath, valueAt, withPart } from "../../src/json/key-path.ts";
import { unknownValue } from "../../src/json/unknown.ts";

describe("the value at a path", () => {
  test.each<[unknown, PropertyKey[], unknown]>([
    [{ a: { b: [1, 2] } }, ["a", "b", 1], 2],
    [{ a: 1 }, [], { a: 1 }],
    [{ a: 1 }, ["b"], undefined],
    [{ a: 1 }, ["a", "b"], undefined],
    [null, ["a"], undefined],
    [{}, ["constructor"], undefined],
    [["a"], ["length"], undefined],
    [["a"], ["0"], "a"],
    [["a"], ["00"], undefined],
    [{ a: unknownValue }, ["a", "b", "c"], unknownValue],
  ])("%o at %o", (value, path, found) => {
    expect(valueAt(value, path)).toEqual(found);
  });
});

test.each<[JsonValue, string[], JsonValue]>([
  [{ a: 1 }, ["b"], { a: 1, b: "new" }],
  [{ a: 1 }, ["a"], { a: "new" }],
  [{ a: { b: 1, c: 2 }, d: 3 }, ["a", "b"], { a: { b: "new", c: 2 }, d: 3 }],
  [{ a: [1, { b: 2 }] }, ["a", "1", "b"], { a: [1, { b: "new" }] }],
  [[1, 2], ["0"], ["new", 2]],
  [{ a: 1 }, [], "new"],
  [{ a: 1 }, ["a", "b"], { a: 1 }],
  [{}, ["a", "b"], {}],
  [[1, 2], ["2"], [1, 2]],
  [[1, 2], ["length"], [1, 2]],
  [
    [1, 2],
    ["0", "a"],
    [1, 2],
  ],
  [{}, ["constructor"], { constructor: "new" }],
])("%j with another part at %j is %j", (value, path, changed) => {
  const before = structuredClone(value);
  expect(withPart(value, path, "new")).toEqual(changed);
  expect(value).toEqual(before);
});

test.each<[PropertyKey[], string]>([
  [["status", "connectors", 3, "name"], "status.connectors[3].name"],
  [[0, "a"], "[0].a"],
  [[], ""],
])("formatPath(%j) is %j", (path, text) => {
  expect(formatPath(path)).toBe(text);
});
