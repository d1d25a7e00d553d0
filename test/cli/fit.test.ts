import { expect, test } from "vitest";
import { columnWidths } from "../../src/cli/fit.ts";

const widthOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + 2, -2);

test("columns that fit are as wide as their longest cell", () => {
  expect(
    columnWidths(
      [
        ["NAME", "STATE"],
        ["acme", "connected"],
      ],
      [10, 10],
    ),
  ).toEqual([4, 9]);
});

test("columns that do not fit in 80 characters shrink, first those that are furthest above their minimum", () => {
  const widths = columnWidths([["a".repeat(60), "b".repeat(30), "c"]], [10, 10, 4]);
  expect(widthOf(widths)).toBe(80);
  expect(widths).toEqual([45, 30, 1]);
});

test("no column shrinks below its minimum", () => {
  expect(columnWidths([["a".repeat(60), "b".repeat(30)]], [55, 25])).toEqual([55, 25]);
  expect(columnWidths([["a".repeat(60), "b".repeat(60)]], [50, 50])).toEqual([50, 50]);
});
