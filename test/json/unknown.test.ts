import { describe, expect, test } from "vitest";
import { hasUnknown, isUnknown, unknownValue } from "../../src/json/unknown.ts";

describe("an unknown value", () => {
  test("differs from every value that a program can write", () => {
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
