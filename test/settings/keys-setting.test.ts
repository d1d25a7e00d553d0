import { describe, expect, test } from "vitest";
import { tenantSchema } from "../../src/api/tenant-schema.ts";
import type { JsonObject } from "../../src/json/json-value.ts";
import { compileReleaseSchema, noSchema } from "../../src/json-schema/index.ts";
import { tombstone, withheld } from "../../src/secrets/placeholders.ts";
import { noSecrets, type SecretTable } from "../../src/secrets/secret-table.ts";
import { configs } from "../../src/settings/configs.ts";
import { HiddenValueError } from "../../src/settings/declared-keys.ts";
import { metadata } from "../../src/settings/metadata.ts";
import type { KeysPatch, Removal } from "../../src/settings/patch-ways.ts";
import type { SettingPath } from "../../src/settings/reveal.ts";
import { type ShownAs, withPair } from "../../src/settings/shown-as.ts";
import { noReleases } from "./no-releases.ts";

const schema = compileReleaseSchema({
  type: "object",
  properties: { currency: { type: "string", default: "EUR" }, token: { type: "string", format: "password" } },
});
const schemas = { configs: schema, metadata: noSchema };
const token = { ref: "env:TOKEN" };
const secrets: SecretTable = { ...noSecrets, resolutionOf: () => ({ value: "s3cret" }) };

/** A tenant with these configs, and the same as metadata. */
function observing(live: JsonObject) {
  return { tenant: tenantSchema.parse({ id: 1, name: "acme", configs: live }), metadata: live };
}

describe("the observed configs", () => {
  const comparing = (live: JsonObject, unreadable: SettingPath[] = [["token"]]) => ({
    declared: { region: "eu", token: "new" },
    lastKnown: { token: "old" },
    observed: observing(live),
    releases: noReleases,
    schemas,
    unreadable,
    shownAs: {},
    platform: {},
    secrets,
  });

  test("are the live values of declared keys, and what was last written in place of hidden ones", () => {
    const comparison = comparing({ region: "us", token: "***", theirs: 1 });
    expect(configs.observe(comparison)).toEqual({ region: "us", token: "old" });
    expect(configs.pathsNotCompared?.(comparison)).toEqual([{ path: ["token"], why: "hidden" }]);
  });

  test("are the live value of a secret that reads do not hide", () => {
    const comparison = comparing({ region: "eu", token: "x" }, []);
    expect(configs.observe(comparison)).toEqual({ region: "eu", token: "x" });
    expect(configs.pathsNotCompared?.(comparison)).toEqual([]);
  });

  test("lack hidden values if nothing was ever written", () => {
    const comparison = { ...comparing({ token: "***" }), lastKnown: undefined };
    expect(configs.observe(comparison)).toEqual({});
  });
});

test("each setting has its own schema and its own live values", () => {
  const observed = { ...observing({ a: 1 }), metadata: { b: 2 } };
  expect(configs.live(observed)).toEqual({ a: 1 });
  expect(metadata.live(observed)).toEqual({ b: 2 });
  expect(configs.schemaOf(schemas)).toBe(schema);
  expect(metadata.schemaOf(schemas)).toBe(noSchema);
});

describe("what is pending", () => {
  test.each<
    [string, { declared?: JsonObject; seen?: JsonObject; removed?: string[]; live: JsonObject; paths: string[][] }]
  >([
    [
      "nothing, as all is as declared",
      { declared: { a: [1], b: null }, seen: { a: [1], b: null }, live: {}, paths: [] },
    ],
    ["a key with another value", { declared: { a: 1, b: 2 }, seen: { a: 1, b: 3 }, live: {}, paths: [["b"]] }],
    ["a key that does not exist", { declared: { a: 1, toString: 2 }, seen: { a: 1 }, live: {}, paths: [["toString"]] }],
    [
      "no removal that `ignoreChanges` has declared and that is done",
      { declared: { a: tombstone }, live: {}, paths: [] },
    ],
    ["each declared key, if nothing is seen", { declared: { a: 1 }, live: {}, paths: [["a"]] }],
    ["a removed key that still exists", { removed: ["gone", "old"], live: { old: 1, theirs: 1 }, paths: [["old"]] }],
    ["no removed key that has the schema's default", { removed: ["currency"], live: { currency: "EUR" }, paths: [] }],
  ])("%s", (_, { declared, seen, removed = [], live, paths }) => {
    const pending = { declared, seen, removed, observed: observing(live), schemas };
    expect(configs.pendingPaths?.(pending)).toEqual(paths);
  });
});

describe("a live tenant is unlike one that a POST creates", () => {
  const pending = (live: JsonObject, declared?: JsonObject) => ({
    ...{ declared, seen: declared, removed: [] },
    ...{ observed: observing(live), schemas },
  });

  test("if it has keys that neither are declared nor have a default", () => {
    expect(configs.unlikeCreated?.(pending({ a: 1, currency: "USD", theirs: 1 }, { a: 1 }))).toEqual([["theirs"]]);
    expect(configs.unlikeCreated?.(pending({ a: 1, currency: "EUR" }, { a: 1 }))).toEqual([]);
    expect(configs.unlikeCreated?.(pending({ a: 1 }))).toEqual([["a"]]);
  });

  test("unless the declared keys decide that they have a default", () => {
    const conditional = compileReleaseSchema({
      if: { required: ["a"], properties: { a: { const: 1 } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { theirs: { default: 1 } } },
    });
    const unlike = (a: number) =>
      configs.unlikeCreated?.({ ...pending({ a, theirs: 1 }, { a }), schemas: { ...schemas, configs: conditional } });
    expect([unlike(1), unlike(2)]).toEqual([[], [["theirs"]]]);
  });

  test("if a declared key differs", () => {
    expect(configs.unlikeCreated?.({ ...pending({ a: 2 }, { a: 1 }), seen: { a: 2 } })).toEqual([["a"]]);
  });

  test("whatever metadata it has, as a POST sets none", () => {
    expect(metadata.unlikeCreated?.(pending({ theirs: 1 }, { a: 1 }))).toEqual([]);
  });
});

describe("two declared objects", () => {
  test.each<[JsonObject, JsonObject, boolean]>([
    [{ a: 1, b: { c: 1 } }, { b: { c: 1 }, a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, {}, false],
    [{}, { a: 1 }, false],
    [{ currency: "EUR" }, {}, false],
    [{}, { currency: "EUR" }, false],
    [{ token }, { token: { ...token } }, true],
    [{ token }, { token: { ...token, version: 2 } }, false],
    // ignoreChanges declares what a refresh has observed
    [{ token }, { token: { ...token, differs: true } }, true],
    [{ token: { ...token, differs: true } }, { token: { ...token, differs: true } }, true],
    [{ token: { ...token, differs: true } }, { token }, false],
    [{ token }, { token: { ref: "env:OTHER", differs: true } }, false],
    [{}, { token: { ...token, differs: true } }, false],
    [{ token: { ...token, differs: true } }, {}, false],
  ])("%j and %j: %j", (left, right, areSame) => {
    expect(configs.areEquivalent?.(left, right, schemas)).toBe(areSame);
  });

  test("are not the same by a default that keys may decide which only the platform knows", () => {
    const limits = (day: number) => ({ properties: { limits: { properties: { day: { default: day } } } } });
    const conditional = compileReleaseSchema({
      if: { properties: { plan: { const: "free" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: limits(10),
      else: limits(1000),
    });
    const areSame = (plan: string, day: number) =>
      configs.areEquivalent?.({ plan, limits: { day } }, { plan, limits: {} }, { ...schemas, configs: conditional });
    expect([areSame("free", 10), areSame("gold", 1000), areSame("gold", 10)]).toEqual([false, false, false]);
    const limited = { ...schemas, configs: compileReleaseSchema(limits(10)) };
    expect(configs.areEquivalent?.({ limits: { day: 10 } }, { limits: {} }, limited)).toBe(true);
  });
});

describe("what is sent", () => {
  const sent = (
    live: JsonObject,
    {
      declared,
      removed = [],
      removal = "leave out",
      unseen = [],
      patch = undefined,
      shownAs = {},
    }: {
      declared?: JsonObject;
      removed?: string[];
      removal?: Removal;
      unseen?: string[][];
      patch?: KeysPatch;
      shownAs?: ShownAs;
    },
  ) => {
    if (configs.write.endpoint !== "tenant") throw new Error("configs are a field of the tenant");
    const change = {
      declared,
      resolved: declared,
      removed,
      removal,
      unseen,
      patch,
      shownAs,
      observed: observing(live),
      schemas,
      secrets,
    };
    return configs.write.fields(change).configs;
  };

  test("is the whole object with the declared keys, without the removed ones", () => {
    const live = { theirs: 1, a: { b: 1, c: 2 }, gone: 1 };
    expect(sent(live, { declared: { a: { b: 2 } }, removed: ["gone"] })).toEqual({ theirs: 1, a: { b: 2 } });
    expect(sent(live, { removed: ["gone"] })).toEqual({ theirs: 1, a: { b: 1, c: 2 } });
  });

  test("has null for what a platform does not remove otherwise, at any depth", () => {
    const live = { theirs: 1, a: { b: 1, c: { d: 2, e: 3 } }, gone: 1, currency: "EUR" };
    const change = { declared: { a: { c: { e: 4 } } }, removed: ["gone", "absent", "currency"] };
    expect(sent(live, { ...change, removal: "send null" })).toEqual({
      theirs: 1,
      gone: null,
      a: { b: null, c: { d: null, e: 4 } },
    });
  });

  test("has no null for what the platform adds to each such value", () => {
    const shownAs = withPair({}, ["configs", "a", "added"], undefined, 1);
    const change = { declared: { a: { b: 2 } }, removal: "send null" as const, shownAs };
    expect(sent({ a: { b: 1, added: 1, c: 2 } }, change)).toEqual({ a: { b: 2, c: null } });
  });

  test("has only the declared keys for a platform that merges, and null for the removed ones", () => {
    const live = { theirs: 1, a: { b: 1, c: 2 }, gone: 1 };
    const change = { declared: { a: { b: 2 } }, removed: ["gone"], removal: "send null" as const };
    expect(sent(live, { ...change, patch: "merge" })).toEqual({ a: { b: 2 }, gone: null });
    expect(sent(live, { ...change, patch: "merge-patch" })).toEqual({ a: { b: 2, c: null }, gone: null });
    expect(sent(live, { ...change, patch: "replace" })).toEqual({ theirs: 1, a: { b: 2, c: null }, gone: null });
  });

  test("has null for what no read shows, and the rest as always", () => {
    const change = { declared: { login: { user: "ada" } }, removed: ["token"], unseen: [["token"], ["login", "word"]] };
    const live = { theirs: 1, login: { user: "ada" } };
    expect(sent(live, change)).toEqual({ theirs: 1, token: null, login: { user: "ada", word: null } });
    expect(sent(live, { ...change, unseen: [] })).toEqual({ theirs: 1, login: { user: "ada" } });
  });

  test("has values in place of references", () => {
    expect(sent({}, { declared: { token, kept: { literal: token } } })).toEqual({ token: "s3cret", kept: token });
  });

  test("has the live value in place of a removal that `ignoreChanges` has declared, and no mask", () => {
    expect(sent({ a: 5 }, { declared: { a: tombstone, b: tombstone } })).toEqual({ a: 5 });
    expect(() => sent({ a: "***" }, { declared: { a: tombstone } })).toThrow(HiddenValueError);
  });

  test("has the live value in place of one that a read has withheld", () => {
    expect(sent({ a: "live", b: ["x"] }, { declared: { a: withheld, b: [withheld] } })).toEqual({
      a: "live",
      b: ["x"],
    });
  });

  test("of metadata is the object itself", () => {
    if (metadata.write.endpoint !== "metadata") throw new Error("metadata have their own endpoint");
    const ways = { removal: "leave out" as const, patch: undefined };
    const change = { resolved: undefined, removed: [], ...ways, unseen: [], shownAs: {} };
    const observed = observing({ b: 2 });
    expect(metadata.write.data({ declared: { a: 1 }, observed, schemas, secrets, ...change })).toEqual({
      a: 1,
      b: 2,
    });
  });

  test("in a creation is the declared object, for configs alone", () => {
    expect(configs.createFields?.({ a: 1 })).toEqual({ configs: { a: 1 } });
    expect(metadata.createFields).toBeUndefined();
  });
});

describe("exported configs", () => {
  test("are the keys that can be declared, with escapes", async () => {
    const live = { region: "eu", api_key: "x", odd: { ref: "env:X" } };
    expect(await configs.export({ observed: observing(live), schemas, releases: noReleases })).toEqual({
      value: { region: "eu", odd: { literal: { ref: "env:X" } } },
      leftOut: [{ path: ["configs", "api_key"], reason: "looks like a secret" }],
    });
  });

  test("are not declared if there are none", async () => {
    expect(await configs.export({ observed: observing({}), schemas, releases: noReleases })).toEqual({
      value: undefined,
      leftOut: [],
    });
  });
});
