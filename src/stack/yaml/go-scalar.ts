/**
 * What Go's yaml.v3 makes of a scalar without quotes: a number, a time, a boolean, null, or the text itself. The Pulumi engine
 * reads a stack's file with it. It follows YAML 1.2 as JavaScript's reader does, but it also knows times, and YAML 1.1's
 * octal and binary numbers and underscores (`resolve` in its resolve.go).
 */
export function goScalar(text: string): unknown {
  if (words.has(text)) return words.get(text);
  if (text.startsWith(".")) return goFraction(text) ?? text;
  if (!/^[-+\d]/.test(text)) return text;
  return goTime(text) ?? goNumber(text.replaceAll("_", "")) ?? text;
}

/**
 * Whether Go reads a key as exactly this string: `12`, `1.5` and `true`, but not `012`, `1.50`, `True` and times. The Pulumi
 * engine writes keys that are no strings as Go's `%v` does.
 *
 * @param value what Go reads: see {@link goScalar}.
 */
export function isGoKey(text: string, value: unknown): boolean {
  if (typeof value === "number") return isGoInteger(text) || text === goFloatText(value);
  return (typeof value === "string" || typeof value === "boolean") && text === String(value);
}

/** Whether it is an integer as Go writes it. Beyond 64 bits, Go reads a floating-point number. */
function isGoInteger(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text) && BigInt(text) >= -(2n ** 63n) && BigInt(text) < 2n ** 64n;
}

/** A floating-point number as Go writes it: `1.5`, but `1e+06` and `1e-05`. */
function goFloatText(value: number): string {
  const [digits, exponent = ""] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, "0")}`;
}

const words = new Map<string, boolean | null>([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
]);

/** A number that begins with a point. Here, underscores stand between digits only. */
function goFraction(text: string): number | undefined {
  if (!/^\.\d+(_\d+)*([eE][-+]?\d+(_\d+)*)?$/.test(text)) return undefined;
  return finite(Number(text.replaceAll("_", "")));
}

/** @param text without underscores. */
function goNumber(text: string): number | undefined {
  return goInteger(text) ?? (decimal.test(text) ? finite(Number(text)) : undefined);
}

const decimal = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;

/** An integer that is not decimal: `0471`, `0o17`, `0b11`, `0x1F`. Go has 64 bits for it. */
function goInteger(text: string): number | undefined {
  const signFirst = text.replace(/^(0[bo])([-+])/, "$2$1"); // `0b-1` is a number too
  const [, sign, digits] = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+)$/.exec(signFirst) ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(digits.replace(/^0(?=\d)/, "0o"));
  if (value >= 2n ** (sign === "" ? 64n : 63n)) return undefined;
  return sign === "-" ? -Number(value) : Number(value);
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}

/** The forms of a time: a day, a day and a time of day without an offset, and with one. */
const times = [
  /^(\d{4})-(\d\d?)-(\d\d?)$/,
  /^(\d{4})-(\d\d?)-(\d\d?) +(\d\d?):(\d\d?):(\d\d?)(?:[.,](\d+))?$/,
  /^(\d{4})-(\d\d?)-(\d\d?)[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,](\d+))?(?:Z|([-+])(\d\d):(\d\d))$/,
];

function goTime(text: string): Date | undefined {
  const [, ...parts] = times.map((form) => form.exec(text)).find((match) => match !== null) ?? [];
  if (parts.length === 0) return undefined;
  const [year = "", month = "", day = "", hour = "", minute = "", second = "", fraction = "0"] = parts;
  const [sign, offsetHours = 0, offsetMinutes = 0] = parts.slice(7);
  if (Number(offsetHours) > 24 || Number(offsetMinutes) > 60) return undefined;
  const twoDigits = (part: string) => part.padStart(2, "0");
  const shown = `${year}-${[month, day].map(twoDigits).join("-")}T${[hour, minute, second].map(twoDigits).join(":")}`;
  const time = new Date(`${shown}.${fraction.slice(0, 3)}Z`);
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(shown)) return undefined; // such as February 30
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes);
  return new Date(time.getTime() - (sign === "-" ? -1 : 1) * offset * 60_000);
}
