import { expect, test } from "vitest";
import { unknownValue } from "../../src/json/unknown.ts";
import { detailedDiff } from "../../src/plugin/detailed-diff.ts";
import { propertyDiffKind } from "../../src/plugin/wire/protocol.ts";

const { add, delete: removed, update, updateReplace } = propertyDiffKind;

function kindsBetween(before: object, now: object, replaces: string[] = []) {
  const [left, right] = [before, now].map((value) => ({ value: { ...value }, secretPaths: [] }));
  if (left === undefined || right === undefined) throw new Error("unreachable");
  return Object.fromEntries([...detailedDiff(left, right, replaces)].map(([path, { kind }]) => [path, kind]));
}

test("a difference is told at its path, as deep as both sides are objects or lists", () => {
  expect(
    kindsBetween(
      { name: "acme", configs: { region: "eu", old: 1, hosts: ["a", "b"] } },
      { name: "acme", configs: { region: "us", new: { x: 1 }, hosts: ["a", "c", "d"] } },
    ),
  ).toEqual({
    "configs.region": update,
    "configs.old": removed,
    "configs.new": add,
    "configs.hosts[1]": update,
    "configs.hosts[2]": add,
  });
});

test("keys that are no names are quoted in Pulumi's way", () => {
  expect(
    kindsBetween({ tenants: { "a/b": 1, 'c"d\\': 1, e: 1 } }, { tenants: { "a/b": 2, 'c"d\\': 2, e: 2 } }),
  ).toEqual({ 'tenants["a/b"]': update, 'tenants["c\\"d\\\\"]': update, "tenants.e": update });
});

test("a change that replaces the resource says so", () => {
  expect(kindsBetween({ integration: "a", name: "x" }, { integration: "b", name: "y" }, ["integration"])).toEqual({
    integration: updateReplace,
    name: update,
  });
});

test("a value that a preview does not know yet differs", () => {
  expect(kindsBetween({ configs: { region: "eu" } }, { configs: { region: unknownValue } })).toEqual({
    "configs.region": update,
  });
});

test("a value that becomes a secret, or is none any more, differs, once", () => {
  const value = { configs: { token: "t", region: "eu" } };
  const open = { value, secretPaths: [] };
  const hidden = { value, secretPaths: [["configs", "token"]] };
  const all = { value: { configs: { ...value.configs, token: "u" } }, secretPaths: [["configs"]] };
  expect([...detailedDiff(open, hidden, []).keys()]).toEqual(["configs.token"]);
  expect([...detailedDiff(hidden, open, []).keys()]).toEqual(["configs.token"]);
  expect([...detailedDiff(hidden, all, []).keys()].sort()).toEqual(["configs", "configs.token"]);
});
