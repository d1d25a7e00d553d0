import { describe, expect, test } from "vitest";
import { secretPathsOf, secretValuesOf, withSecrets, withSecretTenantIds } from "../../src/provider/secret-parts.ts";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

describe("what is marked as secret", () => {
  test("is only the values at a resource's secret paths", () => {
    const configs = { region: "eu", token: "t", deep: { c: "d", e: "f" } };
    const secretPaths = [
      ["configs", "deep", "c"],
      ["configs", "gone"],
      ["configs", "gone", "deeper"],
      ["configs", "token"],
    ];

    expect(withSecrets({ name: "acme", configs, secretPaths })).toEqual({
      name: "acme",
      configs: { region: "eu", token: secret("t"), deep: { c: secret("d"), e: "f" } },
      secretPaths,
    });
  });

  test("is found by its keys, even if they contain dots", () => {
    const configs = { "a.b": { c: "1" }, a: { "b.c": "2", b: { c: "3" } } };
    const marked = (...path: string[]) => withSecrets({ configs, secretPaths: [["configs", ...path]] }).configs;

    expect(marked("a.b", "c")).toEqual({ ...configs, "a.b": { c: secret("1") } });
    expect(marked("a", "b.c")).toEqual({ ...configs, a: { ...configs.a, "b.c": secret("2") } });
    expect(marked("a", "b", "c")).toEqual({ ...configs, a: { ...configs.a, b: { c: secret("3") } } });
  });

  test("is a whole list, because its items may have moved", () => {
    const shops = [{ name: "a", token: "t" }, { name: "b" }];
    const secretPaths = [["configs", "shops", "0", "token"]];

    expect(withSecrets({ configs: { shops }, secretPaths })).toMatchObject({ configs: { shops: secret(shops) } });
  });

  test("is also the value that replaces an object with a secret, but never undefined", () => {
    const secretPaths = [["configs", "deep", "token"]];

    expect(withSecrets({ configs: { deep: "token: t" }, secretPaths }).configs).toEqual({ deep: secret("token: t") });
    expect(withSecrets({ configs: { deep: null }, secretPaths }).configs).toEqual({ deep: null });
    expect(withSecrets({ configs: { deep: undefined }, secretPaths }).configs).toStrictEqual({ deep: undefined });
  });

  test("is a whole setting, once, even if a part of it is listed too", () => {
    const secretPaths = [["configs"], ["configs", "token"], ["configs", "value"]];

    expect(withSecrets({ configs: { token: "t" }, secretPaths }).configs).toEqual(secret({ token: "t" }));
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

    expect(withSecrets({ sync, tenants: { acme, globex, dune }, secretPaths })).toEqual({
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

  test("is also what was secret before", () => {
    const before = { tenants: { acme: { secretPaths: [["configs", "old"]] } } };
    const acme = { configs: { old: "o", token: "t", region: "eu" }, secretPaths: [["configs", "token"]] };

    expect(withSecrets({ tenants: { acme } }, before)).toEqual({
      tenants: { acme: { ...acme, configs: { old: secret("o"), token: secret("t"), region: "eu" } } },
    });
  });

  test("is what was secret before in the next state too, as the next update may fail as well", () => {
    const before = { secretPaths: [["configs", "old"]] };
    const state = { configs: { old: "o", token: "t" }, secretPaths: [["configs", "token"]] };
    const marked = {
      configs: { old: secret("o"), token: secret("t") },
      secretPaths: [
        ["configs", "token"],
        ["configs", "old"],
      ],
    };

    expect(withSecrets(state, before)).toEqual(marked);
    expect(withSecrets({ configs: state.configs }, before)).toEqual({
      configs: { old: secret("o"), token: "t" },
      secretPaths: before.secretPaths,
    });
  });

  test("is not what a config calls its secretPaths or its tenants", () => {
    const configs = { secretPaths: [["token"]], token: "t", tenants: { a: { secretPaths: [["b"]], b: "c" } } };

    expect(withSecrets({ configs })).toEqual({ configs });
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
