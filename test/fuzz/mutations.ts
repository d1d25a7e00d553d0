import fc from "fast-check";
import type { JsonValue } from "../../src/json/json-value.ts";

/** Names that mean something to JavaScript, and a few that mean something to the platform. */
export const oddKeys = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "length", "0", "", "then"),
  fc.constantFrom("id", "name", "configs", "secure", "detail", "message", "data", "loc", "msg"),
  fc.string({ unit: "binary", maxLength: 6 }),
);

/** Any JSON. Objects hold `__proto__` as a key of their own, as a parser makes them. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, "", "x", "***", [], {}),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(oddKeys, tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).value;

/** The value with a few of its parts replaced, removed, added, repeated or wrapped. */
export function mutated(original: JsonValue): fc.Arbitrary<JsonValue> {
  return fc
    .array(mutation, { minLength: 1, maxLength: 3 })
    .map((mutations) => mutations.reduce((value, one) => applied(value, one), original));
}

interface Mutation {
  /** Which part: counted through, over and over. */
  readonly at: number;
  readonly how: "replace" | "remove" | "add" | "repeat" | "wrap";
  readonly key: string;
  readonly junk: JsonValue;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(10_000),
  how: fc.constantFrom("replace", "replace", "remove", "add", "repeat", "wrap"),
  key: oddKeys,
  junk: anyJson,
});

function applied(root: JsonValue, { at, how, key, junk }: Mutation): JsonValue {
  let left = at % countOf(root);
  const walk = (value: JsonValue): JsonValue | undefined => {
    if (left === 0) {
      left = -1;
      return changed(value);
    }
    left -= 1;
    if (Array.isArray(value)) return value.map(walk).filter((item) => item !== undefined);
    if (typeof value !== "object" || value === null) return value;
    const pairs = Object.entries(value).flatMap(([name, inner]) => {
      const kept = walk(inner);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(pairs);
  };
  const changed = (value: JsonValue): JsonValue | undefined => {
    if (how === "remove") return undefined;
    if (how === "replace") return junk;
    if (how === "wrap") return key.length % 2 === 0 ? [value] : Object.fromEntries([[key, value]]);
    if (how === "repeat") return Array.from({ length: at % 30 }, () => value);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries([...Object.entries(value), [key, junk]])
      : junk;
  };
  return walk(root) ?? null;
}

function countOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner: JsonValue) => sum + countOf(inner), 1);
}
