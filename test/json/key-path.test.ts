import { describe, expect, test } from "vitest";
import { formatPath, valueAt } from "../../src/json/key-path.ts";
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

test.each<[PropertyKey[], string]>([
  [["status", "connectors", 3, "name"], "status.connectors[3].name"],
  [[0, "a"], "[0].a"],
  [[], ""],
])("formatPath(%j) is %j", (path, text) => {
  expect(formatPath(path)).toBe(text);
});
