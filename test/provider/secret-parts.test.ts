import { describe, expect, test } from "vitest";
import {
  newPaths,
  possibleSecretsOf,
  secretPathsOf,
  secretValuesOf,
  withSecrets,
  withSecretsOfPart,
  withSecretTenantIds,
} from "../../src/provider/secret-parts.ts";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** The result of a read that has found everything as it was. */
const marksOf = (properties: object) => withSecrets(properties, properties);

describe("what is marked as secret", () => {
  test("is only the values at a resource's secret paths", () => {
    const configs = { region: "eu", token: "t", deep: { c: "d", e: "f" } };
    const secretPaths = [
      ["configs", "deep", "c"],
      ["configs", "gone"],
      ["configs", "gone", "deeper"],
      ["configs", "token"],
    ];

    expect(marksOf({ name: "acme", configs, secretPaths })).toEqual({
      name: "acme",
      configs: { region: "eu", token: secret("t"), deep: { c: secret("d"), e: "f" } },
      secretPaths,
    });
  });

  test("is found by its keys, even if they contain dots", () => {
    const configs = { "a.b": { c: "1" }, a: { "b.c": "2", b: { c: "3" } } };
    const marked = (...path: string[]) => marksOf({ configs, secretPaths: [["configs", ...path]] }).configs;

    expect(marked("a.b", "c")).toEqual({ ...configs, "a.b": { c: secret("1") } });
    expect(marked("a", "b.c")).toEqual({ ...configs, a: { ...configs.a, "b.c": secret("2") } });
    expect(marked("a", "b", "c")).toEqual({ ...configs, a: { ...configs.a, b: { c: secret("3") } } });
  });

  test("is a whole list, because its items may have moved", () => {
    const shops = [{ name: "a", token: "t" }, { name: "b" }];
    const secretPaths = [["configs", "shops", "0", "token"]];

    expect(marksOf({ configs: { shops }, secretPaths })).toMatchObject({ configs: { shops: secret(shops) } });
  });

  test("is also the value that replaces an object with a secret, but never undefined", () => {
    const secretPaths = [["configs", "deep", "token"]];

    expect(marksOf({ configs: { deep: "token: t" }, secretPaths }).configs).toEqual({ deep: secret("token: t") });
    expect(marksOf({ configs: { deep: null }, secretPaths }).configs).toEqual({ deep: null });
    expect(marksOf({ configs: { deep: undefined }, secretPaths }).configs).toStrictEqual({ deep: undefined });
  });

  test("is a whole setting, once, even if a part of it is listed too", () => {
    const secretPaths = [["configs"], ["configs", "token"], ["configs", "value"]];

    expect(marksOf({ configs: { token: "t" }, secretPaths }).configs).toEqual(secret({ token: "t" }));
  });

  test("is each tenant's own in a fleet, in addition to the fleet's defaults", () => {
    const acme = { configs: { token: "t" }, secretPaths: [["configs", "token"]] };
    const globex = { configs: { token: "plain" } };
    const dune = { configs: { token: "d" } };
    const sync = { payload: { key: "k" } };
    const secretPaths = [
      ["sync", "payload", "key"],
      ["tenants", "dune", "configs"],
    ];

    expect(marksOf({ sync, tenants: { acme, globex, dune }, secretPaths })).toEqual({
      sync: { payload: { key: secret("k") } },
      tenants: { acme: { ...acme, configs: { token: secret("t") } }, globex, dune: { configs: secret(dune.configs) } },
      secretPaths,
    });
  });

  test("is also a fleet's output with the keys of tenants that are one secret", () => {
    const [tenantIds, rolloutPlan] = [{ acme: 5001 }, { members: "acme=5001" }];
    const secretPaths = [["tenants"]];
    expect(withSecretTenantIds({ tenantIds, rolloutPlan, secretPaths })).toEqual({
      tenantIds: secret(tenantIds),
      rolloutPlan: secret(rolloutPlan),
      secretPaths,
    });
    expect(withSecretTenantIds({ tenantIds, secretPaths })).not.toHaveProperty("rolloutPlan");
    const amongOthers = [["sync"], ...secretPaths];
    expect(withSecretTenantIds({ tenantIds, secretPaths: amongOthers }).tenantIds).toEqual(secret(tenantIds));
  });

  test.each([[[["sync"]]], [[["tenants", "acme"]]], [[["sync", "payload"]]], [[]], ["not known yet"]])(
    "is not a fleet's output if only other values are secret: %j",
    (secretPaths) => {
      const state = { tenantIds: { acme: 5001 }, secretPaths };
      expect(withSecretTenantIds(state)).toEqual(state);
    },
  );

  test("is what a read finds where there was none, which the engine would not mark", () => {
    const stored = { configs: { region: "eu", token: null, deep: { a: "1" } }, tenants: { acme: { metadata: {} } } };
    const found = {
      configs: { region: "us", token: "t", deep: { a: "2", b: { c: "3" } }, none: null },
      tenants: { acme: { metadata: { list: ["l"] } } },
    };

    expect(withSecrets({ ...found, name: "acme" }, stored)).toEqual({
      name: "acme",
      configs: { region: "us", token: secret("t"), deep: { a: "2", b: secret({ c: "3" }) }, none: null },
      tenants: { acme: { metadata: { list: secret(["l"]) } } },
    });
    expect(newPaths(found, found)).toEqual([]);
  });

  test("is no reference, as it holds no value; an object of this form at the root is one of the user's", () => {
    const stored = { configs: { token: { ref: "env:TOKEN" } }, metadata: {} };
    const found = { configs: { token: { ref: "env:TOKEN", differs: true } }, metadata: { ref: "main" } };
    expect(newPaths(found, stored)).toEqual([["metadata", "ref"]]);
  });

  test("is what an update that was done in part has changed, or has not, from now on", () => {
    const before = {
      configs: { region: "eu", token: "old", list: [1] },
      tenants: { acme: { secretPaths: [["configs"]] } },
    };
    const inputs = { configs: { region: "eu", token: "new", list: [2] }, secretPaths: [["name"]] };
    const state = {
      configs: { region: "eu", token: "new", list: [1] },
      tenants: { acme: { configs: "c" } },
      name: "n",
    };
    const acme = { configs: secret("c") };
    const secretPaths = [["name"], ["configs"], ["tenants", "acme", "configs"]];

    expect(withSecretsOfPart(state, inputs, before)).toEqual({
      name: secret("n"),
      configs: secret(state.configs),
      tenants: { acme },
      secretPaths,
    });
    const once = { configs: { a: 1, b: 2 } };
    expect(withSecretsOfPart(once, once, { configs: { a: 1, b: 3 } })).toEqual({
      configs: { a: 1, b: secret(2) },
      secretPaths: [["configs", "b"]],
    });
    expect(withSecretsOfPart(once, once, undefined)).toEqual(once);
  });

  test("is not what a config calls its secretPaths or its tenants", () => {
    const configs = { secretPaths: [["token"]], token: "t", tenants: { a: { secretPaths: [["b"]], b: "c" } } };

    expect(marksOf({ configs })).toEqual({ configs });
  });
});

test("there are no secret paths where none are known", () => {
  expect(secretPathsOf({ tenants: { acme: {} } })).toEqual([]);
  expect(secretPathsOf({ secretPaths: "not known yet" })).toEqual([]);
});

test("collects the values at the secret paths, and list items by index", () => {
  const acme = { configs: { list: ["plain", "hidden"] }, secretPaths: [["configs", "list", "1"]] };
  const properties = { configs: { a: { b: "deep" } }, tenants: { acme }, secretPaths: [["configs", "a"]] };

  expect(secretValuesOf(properties)).toEqual([{ b: "deep" }, "hidden"]);
});

test("takes all in objects without a form of their own for what may be secret", () => {
  const sync = { mode: "init", payload: 4 };
  const acme = { name: "acme", configs: 1, metadata: 2, sync };
  expect(possibleSecretsOf({ tenants: { acme }, sync: { triggers: 5 }, data: 3, name: "all" }).filter(Boolean)).toEqual(
    [3, 5, 1, 2, 4],
  );
});
