import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json/json-value.ts";
import { compileReleaseSchema, noSchema } from "../../src/json-schema/index.ts";
import { tombstone, withheld } from "../../src/secrets/placeholders.ts";
import { noSecrets, type SecretTable } from "../../src/secrets/secret-table.ts";
import {
  areSameDeclared,
  observedKeys,
  pathsWithin,
  remainingKeys,
  semanticallyEqual,
  wholeObject,
  withNulls,
} from "../../src/settings/declared-keys.ts";
import type { SettingPath } from "../../src/settings/reveal.ts";
import { type ShownAs, withPair } from "../../src/settings/shown-as.ts";
import { objectOf } from "../json/object-of.ts";

const schema = compileReleaseSchema({
  type: "object",
  properties: {
    currency: { type: "string", default: "EUR" },
    token: { type: "string", format: "password" },
    pin: { type: "string", writeOnly: true },
    login: { type: "object", properties: { password: { type: "string", format: "password" } } },
    limits: { type: "object", properties: { day: { type: "number", default: 100 }, hour: { type: "number" } } },
  },
});

const token = { ref: "env:TOKEN" };

/** Knows the value of env:TOKEN, and no other. */
const secrets: SecretTable = {
  ...noSecrets,
  resolutionOf: ({ ref }) => (ref === token.ref ? { value: "s3cret" } : { problem: "there is none" }),
  isValue: (text) => text === "s3cret",
};

const rest = { name: "configs", written: {}, schema, unreadable: [], shownAs: {}, secrets };

describe("the observed keys", () => {
  interface Case {
    declared: JsonObject;
    live: JsonObject;
    written?: JsonObject;
    unreadable?: SettingPath[];
    shownAs?: ShownAs;
    seen: JsonObject;
    /** The paths that were not compared. */
    paths?: SettingPath[];
  }

  test.each<[string, Case]>([
    ["are the declared ones only", { declared: { a: 1 }, live: { a: 1, b: 2 }, seen: { a: 1 } }],
    [
      "have the live values",
      { declared: { a: 1, list: [1, 2] }, live: { a: 2, list: [2, 1] }, seen: { a: 2, list: [2, 1] } },
    ],
    ["lack a key that does not exist", { declared: { a: 1, b: 2 }, live: { b: 2 }, seen: { b: 2 } }],
    [
      "have a declared default that the platform does not send",
      { declared: { currency: "EUR" }, live: {}, seen: { currency: "EUR" } },
    ],
    ["lack a value that is not sent and is not the default", { declared: { currency: "USD" }, live: {}, seen: {} }],
    [
      "have the declared value where the platform fills in defaults inside",
      { declared: { limits: { hour: 5 } }, live: { limits: { hour: 5, day: 100 } }, seen: { limits: { hour: 5 } } },
    ],
    [
      "have the live value where the platform fills in something other than the default",
      {
        declared: { limits: { hour: 5 } },
        live: { limits: { hour: 5, day: 99 } },
        seen: { limits: { hour: 5, day: 99 } },
      },
    ],
    [
      "have null only where the live value is null",
      { declared: { a: null, b: null }, live: { a: null }, seen: { a: null } },
    ],
    [
      "have what was last written in place of a secret that reads hide",
      {
        declared: { a: "new", pin: "new", login: { user: "ada", password: "new" } },
        live: { a: "***", login: { user: "bob", password: "9f86" } },
        written: { a: "old", pin: "old", login: { user: "ada", password: "old" } },
        unreadable: [["a"], ["pin"], ["login", "password"]],
        seen: { a: "old", pin: "old", login: { user: "bob", password: "old" } },
        paths: [["a"], ["pin"], ["login", "password"]],
      },
    ],
    [
      "have the declared value where reads show it although they have hidden it",
      { declared: { a: "new" }, live: { a: "new" }, written: { a: "old" }, unreadable: [["a"]], seen: { a: "new" } },
    ],
    ["lack a hidden value that was never written", { declared: { a: "new" }, live: {}, unreadable: [["a"]], seen: {} }],
    [
      "have a placeholder for a mask in a place that reads have not hidden until now",
      {
        declared: { a: "new", b: ["x", { y: 1 }] },
        live: { a: "***", b: ["x", { y: "***" }] },
        written: { a: "old" },
        seen: { a: withheld, b: ["x", { y: withheld }] },
      },
    ],
    [
      "have the live value of a secret that reads have not hidden until now, or lack it",
      {
        declared: { token: "1", pin: "1" },
        live: { token: "2" },
        written: { token: "0", pin: "0" },
        seen: { token: "2" },
      },
    ],
    [
      "have a placeholder for an undeclared part that the schema hides",
      {
        declared: { login: { user: "ada" } },
        live: { login: { user: "bob", password: "x" } },
        seen: { login: { user: "bob", password: withheld } },
      },
    ],
    [
      "have the declared value where the platform shows it in a form of its own",
      {
        declared: { a: { b: " x ", c: 1 }, d: [1] },
        live: { a: { b: "x", c: 2, e: 3 }, d: ["1"] },
        shownAs: [
          { path: ["a", "b"], declared: " x ", shown: "x" },
          { path: ["a", "e"], declared: undefined, shown: 3 },
          { path: ["d"], declared: [1], shown: ["1"] },
        ].reduce<ShownAs>((all, { path, declared, shown }) => withPair(all, ["configs", ...path], declared, shown), {}),
        seen: { a: { b: " x ", c: 2 }, d: [1] },
      },
    ],
    [
      "have the live value where that form was another declared value's, or is another one, or another setting's",
      {
        declared: { a: " y ", b: " x ", c: " x " },
        live: { a: "x", b: "y", c: "x" },
        shownAs: {
          ...withPair({}, ["configs", "a"], " x ", "x"),
          ...withPair({}, ["configs", "b"], " x ", "x"),
          ...withPair({}, ["metadata", "c"], " x ", "x"),
        },
        seen: { a: "x", b: "y", c: "x" },
      },
    ],
    [
      "have the reference whose value is the live one",
      { declared: { a: token }, live: { a: "s3cret" }, seen: { a: token } },
    ],
    [
      "have a reference that differs where the live value is another",
      { declared: { a: token }, live: { a: "x" }, seen: { a: { ...token, differs: true } } },
    ],
    [
      "have a reference that differs if it cannot be resolved",
      {
        declared: { a: { ref: "env:GONE" } },
        live: { a: "x" },
        seen: { a: { ref: "env:GONE", differs: true } },
        paths: [["a"]],
      },
    ],
    ["do not show a secret of another key", { declared: { a: "x" }, live: { a: "s3cret" }, seen: { a: withheld } }],
    [
      "have a tombstone for a key that was to be removed and exists",
      { declared: { a: tombstone }, live: { a: 1 }, seen: { a: tombstone } },
    ],
    [
      "have a tombstone for a key that was to be removed and that the platform hides in reads",
      {
        declared: { a: tombstone },
        live: {},
        unreadable: [["a"]],
        seen: { a: tombstone },
        paths: [["a"]],
      },
    ],
    ["lack a tombstone for a key that is gone", { declared: { a: tombstone }, live: {}, seen: {} }],
    [
      "lack a tombstone for a key that has its default",
      { declared: { currency: tombstone }, live: { currency: "EUR" }, seen: {} },
    ],
  ])("%s", (_, { declared, live, written = {}, unreadable = [], shownAs = {}, seen, paths = [] }) => {
    const notCompared: SettingPath[] = [];
    const note = (path: SettingPath) => notCompared.push(path);
    const keys = { ...rest, declared, written, unreadable, shownAs };
    expect(observedKeys(keys, live, note)).toStrictEqual(seen);
    expect(notCompared).toEqual(paths);
  });

  test("need nobody who asks for the paths", () => {
    const keys = { ...rest, declared: { a: "new" }, written: { a: "old" }, unreadable: [["a"]] };
    expect(observedKeys(keys, { a: "***" })).toEqual({ a: "old" });
  });

  test("do not take two large numbers for one", () => {
    const live = objectOf('{"id": 9007199254740993}');
    const seen = observedKeys({ ...rest, declared: { id: 9007199254740992 } }, live);
    expect(seen).toEqual({ id: "9007199254740993" });
  });
});

describe("a default that depends on another key", () => {
  const limited = (day: number) => ({
    properties: { day: { default: day }, limits: { properties: { day: { default: day } } } },
  });
  const conditional = compileReleaseSchema({
    type: "object",
    if: { properties: { plan: { const: "free" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: limited(10),
    else: limited(1000),
  });

  test.each([
    ["free", 10],
    ["gold", 1000],
  ])("is that of the live object: %s", (plan, day) => {
    const seen = (live: JsonObject) =>
      observedKeys({ ...rest, declared: { limits: {}, day }, schema: conditional }, { plan, ...live });
    expect(seen({ limits: { day }, day })).toEqual({ limits: {}, day });
    expect(seen({ limits: { day: 500 } })).toEqual({ limits: { day: 500 }, day });
    const remaining = (value: number) => remainingKeys({ removed: ["day"], schema: conditional }, { plan, day: value });
    expect([remaining(day), remaining(1010 - day)]).toEqual([[], ["day"]]);
  });
});

test("of the removed keys those remain that exist with another value than the default", () => {
  const live = { a: null, currency: "EUR", limits: { day: 1 }, kept: 1 };
  expect(remainingKeys({ removed: ["a", "currency", "limits", "gone", "toString"], schema }, live)).toEqual([
    "a",
    "limits",
  ]);
  expect(remainingKeys({ removed: ["currency"], schema }, { currency: "USD" })).toEqual(["currency"]);
});

describe("the object to send", () => {
  test("has the live keys, the declared ones with their values, and not the removed ones", () => {
    const live = { theirs: [1], mine: "old", gone: 1 };
    expect(wholeObject({ declared: { mine: "new", more: null }, removed: ["gone"] }, live, "configs")).toEqual({
      theirs: [1],
      mine: "new",
      more: null,
    });
  });

  test("has numbers of others as they were read", () => {
    const live = objectOf('{"theirs": 9007199254740993, "mine": 1.0}');
    const whole = wholeObject({ declared: { mine: 2 }, removed: [] }, live, "configs");
    expect(JSON.stringify(whole)).toBe('{"theirs":9007199254740993,"mine":2}');
  });

  test("may have masks only in place of declared or removed values", () => {
    const live = { a: "***", b: ["[hidden]"], c: "x", d: { e: "***" } };
    expect(() => wholeObject({ declared: { a: "x" }, removed: ["d"] }, live, "configs")).toThrow(
      "the tenant has configs.b, which the platform hides in reads and which no resource declares, " +
        "so a change of configs could destroy it. Declare it too",
    );
    expect(() => wholeObject({ declared: {}, removed: [] }, live, "metadata")).toThrow(
      "the tenant has metadata.a, metadata.b, metadata.d, which",
    );
    expect(wholeObject({ declared: { a: "x", b: "y" }, removed: ["d"] }, live, "configs")).toEqual({
      a: "x",
      b: "y",
      c: "x",
    });
  });
});

describe("two values of a key", () => {
  test.each<[string, JsonValue | undefined, JsonValue | undefined, boolean]>([
    ["currency", "EUR", "EUR", true],
    ["currency", "EUR", undefined, true],
    ["currency", undefined, "EUR", true],
    ["currency", "USD", undefined, false],
    ["currency", undefined, undefined, true],
    ["limits", { hour: 1 }, { hour: 1, day: 100 }, true],
    ["limits", { hour: 1 }, { hour: 1, day: 10 }, false],
    ["other", null, undefined, false],
    ["other", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ])("%s: %j and %j", (key, left, right, areEqual) => {
    expect(semanticallyEqual({ schema, key, around: {} }, left, right)).toBe(areEqual);
    expect(areSameDeclared({ schema, key, around: {} }, left, right)).toBe(areEqual);
  });

  test.each<[JsonValue | undefined, JsonValue | undefined, boolean]>([
    [token, { ...token }, true],
    [token, { ref: "env:OTHER" }, false],
    [token, { ...token, version: 1 }, false],
    [{ ...token, version: 1 }, { ...token, version: "1" }, true],
    [token, { ...token, differs: true }, false],
    [token, undefined, false],
    [{ literal: token }, token, false],
    [[token, 1], [{ ...token }, 1], true],
  ])("that refer to secrets: %j and %j", (left, right, areEqual) => {
    expect(areSameDeclared({ schema: noSchema, key: "a", around: {} }, left, right)).toBe(areEqual);
  });
});

test.each<[JsonValue, JsonValue | undefined, JsonValue]>([
  [1, { a: 1 }, 1],
  [{ a: 1 }, undefined, { a: 1 }],
  [{ a: 1 }, 5, { a: 1 }],
  [{ a: 1 }, { a: 2, b: 3 }, { b: null, a: 1 }],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: { e: 1 } }, { d: null, a: { b: 1, c: null } }],
  [[{ a: 1 }], [{ a: 1, b: 2 }], [{ a: 1 }]],
  [{ a: 1 }, { toString: 1 }, { toString: null, a: 1 }],
])("%j in place of %j is sent as %j", (wanted, live, sent) => {
  expect(withNulls(wanted, live)).toEqual(sent);
});

test("the paths inside a value are those that begin with its key, without it", () => {
  expect(pathsWithin("configs", [["configs", "login", "pin"], ["configs"], ["metadata", "configs"]])).toEqual([
    ["login", "pin"],
    [],
  ]);
});
