import { describe, expect, test } from "vitest";
import { hasUnknown, isUnknown, unknownValue, valueAt } from "../../src/json-schema/index.ts";

describe("an unknown value", () => {
  test("is told from all that a program can write", () => {
    expect(isUnknown(unknownValue)).toBe(true);
    for (const known of [undefined, null, "", 0, {}, [], "04da6b54-80e4-46f7-96ec-b56ff0331ba9"]) {
      expect(isUnknown(known)).toBe(false);
    }
  });

  test("is found at any depth", () => {
    expect(hasUnknown({ a: [{ b: unknownValue }] })).toBe(true);
    expect(hasUnknown({ a: [{ b: 1 }] })).toBe(false);
    expect(hasUnknown(null)).toBe(false);
  });
});

describe("the value at a path", () => {
  test.each<[unknown, PropertyKey[], unknown]>([
    [{ a: { b: [1, 2] } }, ["a", "b", 1], 2],
    [{ a: 1 }, [], { a: 1 }],
    [{ a: 1 }, ["b"], undefined],
    [{ a: 1 }, ["a", "b"], undefined],
    [null, ["a"], undefined],
    [{}, ["constructor"], undefined],
    [{ a: unknownValue }, ["a", "b", "c"], unknownValue],
  ])("%o at %o", (value, path, found) => {
    expect(valueAt(value, path)).toEqual(found);
  });
});
