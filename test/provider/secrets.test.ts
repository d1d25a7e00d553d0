import { expect, it } from "vitest";
import { withSecrets } from "../../src/provider/wire.ts";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

it("marks what stands at the secret paths of a resource, keys with dots included, and nothing else", () => {
  const configs = { region: "eu", token: "t", "a.b": { c: "d" }, list: ["x"] };
  const secretPaths = ["configs.a.b.c", "configs.gone", "configs.token"];

  expect(withSecrets({ name: "acme", configs, secretPaths })).toEqual({
    name: "acme",
    configs: { region: "eu", token: secret("t"), "a.b": { c: secret("d") }, list: ["x"] },
    secretPaths,
  });
});

it("marks those of each tenant of a fleet", () => {
  const acme = { configs: { token: "t" }, secretPaths: ["configs.token"] };
  const globex = { configs: { token: "plain" } };

  expect(withSecrets({ tenants: { acme, globex } })).toEqual({
    tenants: { acme: { ...acme, configs: { token: secret("t") } }, globex },
  });
});

it("marks what was secret before as well, once", () => {
  const before = { tenants: { acme: { secretPaths: ["configs.old", "configs.token"] } } };
  const acme = { configs: { old: "o", token: "t", region: "eu" }, secretPaths: ["configs.token"] };

  expect(withSecrets({ tenants: { acme } }, before)).toEqual({
    tenants: { acme: { ...acme, configs: { old: secret("o"), token: secret("t"), region: "eu" } } },
  });
});
