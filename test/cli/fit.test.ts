import { styleText } from "node:util";
import { expect, test } from "vitest";
import { clip, columnWidths, table, wrap } from "../../src/cli/fit.ts";

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

const red = styleText("red", "failing", { validateStream: false });

test("the columns of a table are aligned beside wide characters and a coloured cell", () => {
  expect(
    table([
      ["NAME", "STATE", "RUN"],
      ["東京", red, "1"],
      ["👩‍👩‍👧", "ok", "2"],
      ["Cafe\u0301", "connected", "3"],
    ]),
  ).toBe(
    ["NAME  STATE      RUN", `東京  ${red}    1`, "👩‍👩‍👧    ok         2", "Cafe\u0301  connected  3"].join("\n"),
  );
});

test.each([
  ["東京支社", 8, "東京支社"],
  ["東京支社", 7, "東京支…"],
  ["東京支社", 6, "東京…"],
  ["ab 👩‍👩‍👧👩‍👩‍👧", 6, "ab 👩‍👩‍👧…"],
  ["Cafe\u0301s", 4, "Caf…"],
  ["a b c d", 4, "a b…"],
])("%j is cut between characters for %i columns", (text, width, cut) => {
  expect(clip(text, width)).toBe(cut);
});

test("a sentence of wide characters and colours fits its columns", () => {
  expect(wrap("東京 支社 本社 abc", 9)).toEqual(["東京 支社", "本社 abc"]);
  expect(wrap("東京支社本社", 5)).toEqual(["東京", "支社", "本社"]);
  expect(wrap(`${red} after 7 s`, 13)).toEqual([`${red} after`, "7 s"]);
});
