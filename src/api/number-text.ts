/**
 * Parses JSON and lets `replace` see each number whose text JavaScript would write otherwise: beyond 2^53, beyond a
 * double, with an exponent, with zeros at its end. What it returns takes the number's place.
 *
 * @throws SyntaxError
 */
export function parseNumberTexts(text: string, replace: (number: NumberText) => unknown) {
  if (!mayHoldOddNumbers(text)) return JSON.parse(text); // ten times as fast
  return JSON.parse(text, function (this: object, key: string, value: unknown, context?: { source?: string }) {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined || String(value) === source) return value;
    return replace({ holder: this, key, value, source });
  });
}

/** A number in a JSON text. */
export interface NumberText {
  /** The object or list that holds it, and its key there. */
  holder: object;
  key: string;
  value: number;
  source: string;
}

/** Whether {@link parseNumberTexts} may find a number in a text of JSON to replace; never wrong when it says no. */
export function mayHoldOddNumbers(text: string): boolean {
  return oddNumber.test(text);
}

/** An object that `JSON.stringify` writes as this text, which must be a number. */
export function rawNumber(source: string): object & Record<string, never> {
  // Node 22 has it, and TypeScript's library does not.
  const write: unknown = Reflect.get(JSON, "rawJSON");
  if (typeof write !== "function") throw new Error("JSON.rawJSON is missing: Node 22 or newer is needed");
  return write(source);
}

/** Whether the number that JavaScript reads from a decimal text, written as a decimal, is the same: 1.10 is, 1e400 is not. */
export function isExactNumber(source: string): boolean {
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  return decimalOf(source) === decimalOf(String(value));
}

/**
 * Finds a number in a text of JSON that may be an odd one: 16 digits or more, an exponent, zeros at the end or after the
 * point, `-0`. A text in quotes may look like one; that costs only time.
 */
const oddNumber = /(?:^|[[:,])\s*(?:-0(?![.\d])|-?(?:[\d.]{16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.000000))/;

/** A decimal as digits and an exponent, without what does not count: `1.10e3` is `11e2`. */
function decimalOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text.trim()) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}
