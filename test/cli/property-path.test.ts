import fc from "fast-check";
import { expect, test } from "vitest";
import { formatPath, overlap, type PropertyPath, parsePath } from "../../src/cli/property-path.ts";

test.each<[string, PropertyPath]>([
  ["", []],
  ["configs.region", ["configs", "region"]],
  ['configs["a.b"].c', ["configs", "a.b", "c"]],
  ['configs["two-2"]["x y"]', ["configs", "two-2", "x y"]],
  ['configs["say \\"hi\\""].list[10].name', ["configs", 'say "hi"', "list", 10, "name"]],
  ["configs.10", ["configs", "10"]],
  ['["a.b"].c', ["a.b", "c"]],
  ["configs..c", ["configs", "", "c"]],
])("%j has the keys %j", (text, path) => {
  expect(parsePath(text)).toEqual(path);
  expect(formatPath(path)).toBe(text);
});

test("formatting and parsing a path returns the same keys", () => {
  // Pulumi does not escape backslashes, so a path with a backslash in a key can have two meanings.
  const key = fc.oneof(
    fc.nat(),
    fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\\")),
  );
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: fc.constantFrom("a", "-", ".", "é") }),
      fc.array(key),
      (first, rest) => {
        expect(parsePath(formatPath([first, ...rest]))).toEqual([first, ...rest]);
      },
    ),
  );
});

test.each<[PropertyPath, PropertyPath, boolean]>([
  [["configs"], ["configs", "region"], true],
  [["configs", "region"], ["configs"], true],
  [["configs", "region"], ["configs", "region"], true],
  [[], ["configs"], true],
  [["configs", "region"], ["configs", "regions"], false],
  [["a.b"], ["a", "b"], false],
])("%j and %j overlap: %s", (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected);
});
