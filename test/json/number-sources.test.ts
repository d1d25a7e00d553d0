import fc from "fast-check";
import { expect, test } from "vitest";
import { asRead, withInexactNumbers, withoutInexactNumbers } from "../../src/json/number-sources.ts";
import { isExactNumber } from "../../src/json/number-text.ts";
import { objectOf } from "./object-of.ts";

const digits = fc.stringMatching(/^\d{1,24}$/);
const exponent = fc.stringMatching(/^[eE][-+]?\d{1,3}$/);
const numberText = fc
  .tuple(fc.constantFrom("", "-"), digits, fc.option(digits), fc.option(exponent))
  .map(([sign, whole, fraction, power]) => {
    const point = fraction === null ? "" : `.${fraction}`;
    return `${sign}${whole.replace(/^0+(?=\d)/, "")}${point}${power ?? ""}`;
  });

test("asRead keeps the text of every number, wherever it is", () => {
  const text = fc
    .array(numberText, { minLength: 6, maxLength: 6 })
    .map(([a, b, c, d, e, f]) => `{"a":${a},"b":[${b},{"c":${c}}],"d":{"e":[[${d}]],"f":${e}},"g":"1e400","h":${f}}`);
  fc.assert(
    fc.property(text, (json) => {
      expect(JSON.stringify(asRead(objectOf(json)))).toBe(json);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["9007199254740993", false],
  ["9007199254740992", true],
  ["1e400", false],
  ["1e-400", false],
  ["-0", true],
  ["0.1", true],
  ["1.10", true],
  ["1E3", true],
  ["1e21", true],
  ["123456789012345680000", true],
  ["0.1234567890123456789", false],
  ["0.00000010", true],
])("%s: whether JavaScript holds it exactly is %s", (source, isExact) => {
  expect(isExactNumber(source)).toBe(isExact);
  const value = withoutInexactNumbers(objectOf(`{"list":[{"n":${source}}]}`));
  expect(value).toEqual({ list: [{ n: isExact ? Number(source) : source }] });
});

test("texts of numbers that JavaScript cannot hold become numbers where the live object has such a number", () => {
  const text = '{"a":9007199254740993,"b":[{"c":1e400}],"d":1.10,"e":"9007199254740993","f":{"g":1}}';
  const live = objectOf(text);
  const shown = withoutInexactNumbers(live);
  expect(JSON.stringify(withInexactNumbers(shown, live, "raw"))).toBe(text.replace("1.10", "1.1"));
  expect(withInexactNumbers(shown, live, "rounded")).toEqual(JSON.parse(text));
  const stale = { a: "9007199254740995", b: [{ c: "-1e500" }] };
  expect(JSON.stringify(withInexactNumbers(stale, live, "raw"))).toBe('{"a":9007199254740995,"b":[{"c":-1e500}]}');
});

test("nothing else becomes a number", () => {
  const live = objectOf('{"a":9007199254740993,"b":[{"c":1e400}],"d":1.10,"f":{"g":1}}');
  const exact = { a: "9007199254740992", b: ["1e400"], d: "1.10" };
  const elsewhere = { f: null, h: "9007199254740993", i: [{ c: "1e400" }] };
  const texts = { a: "9007199254740993 ", b: [{ c: "0x1fffffffffffff1" }] };
  for (const value of [exact, elsewhere, texts]) expect(withInexactNumbers(value, live, "raw")).toBe(value);
  const large = { a: "9007199254740993" };
  expect(withInexactNumbers(large, {}, "raw")).toBe(large);
});
