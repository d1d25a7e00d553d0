import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unknownValue } from "../../src/json/unknown.ts";
import { detailedDiff } from "../../src/plugin/detailed-diff.ts";
import { PropertyDiff_Kind } from "../../src/plugin/wire/protocol_pb.ts";

const { ADD: add, DELETE: removed, UPDATE: update, UPDATE_REPLACE: updateReplace } = PropertyDiff_Kind;

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
    kindsBetween({ tenants: { "a/b": 1, 'c"\\d': 1, e: 1 } }, { tenants: { "a/b": 2, 'c"\\d': 2, e: 2 } }),
  ).toEqual({ 'tenants["a/b"]': update, 'tenants["c\\"\\d"]': update, "tenants.e": update });
});

test("a key that ends with a backslash, which no path can hold, is told at its object", () => {
  const configs = { region: "eu", "D:\\": { on: true } };
  expect(kindsBetween({ configs: {} }, { configs })).toEqual({ configs: update });
  expect(kindsBetween({ configs }, { configs: { ...configs, "D:\\": { on: false } } })).toEqual({ configs: update });
  expect(kindsBetween({ configs }, { configs: { ...configs, region: "us" } })).toEqual({ "configs.region": update });
  expect(kindsBetween({ list: [{ "\\": 1 }] }, { list: [{}] })).toEqual({ "list[0]": update });
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

const key = fc.oneof(
  fc.constantFrom("\\", "D:\\", 'a"', 'a\\"', '\\"\\', "C:\\dir", "a.b", "[0]", "", "x"),
  fc.string(),
);
const { configs } = fc.letrec<{ configs: object; value: unknown }>((tie) => ({
  configs: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ max: 2, min: 0 }),
    tie("configs"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

test("Pulumi reads each path as the keys of a difference, or of what holds it", () => {
  fc.assert(
    fc.property(configs, configs, (before, now) => {
      const told = Object.keys(kindsBetween({ configs: before }, { configs: now })).map(keysOf);
      const differing = differences(before, now, ["configs"]);
      const leadsTo = (path: Keys, target: Keys) => path.every((part, index) => part === target[index]);
      for (const path of told) expect(differing.some((target) => leadsTo(path, target))).toBe(true);
      for (const target of differing) expect(told.some((path) => leadsTo(path, target))).toBe(true);
      const isExact = !differing.flat().some((part) => String(part).endsWith("\\"));
      if (isExact) expect(told).toEqual(differing);
    }),
    { numRuns: 1000 },
  );
});

type Keys = (string | number)[];

/** The paths at which two values differ. */
function differences(left: unknown, right: unknown, path: Keys): Keys[] {
  if (isDeepStrictEqual(left, right)) return [];
  const areLists = Array.isArray(left) && Array.isArray(right);
  if (!areLists && ![left, right].every((value) => Object(value) === value && !Array.isArray(value))) return [path];
  const keys = [...new Set([left, right].flatMap((value) => Object.keys(Object(value))))];
  const partOf = (value: unknown, part: string): unknown =>
    Object.hasOwn(Object(value), part) ? Object.getOwnPropertyDescriptor(value, part)?.value : undefined;
  return keys.flatMap((part) =>
    differences(partOf(left, part), partOf(right, part), [...path, areLists ? Number(part) : part]),
  );
}

/** The keys of a path, by the rules of `ParsePropertyPath` of Pulumi. Throws where this fails. */
function keysOf(path: string): Keys {
  const keys: Keys = [];
  for (let rest = path; rest !== ""; ) {
    const [part = "", index, quoted, name] = /^\.?(?:\[(\d+)\]|\["((?:\\"|(?!\\")[^"])*)"\]|([^.[]+))/.exec(rest) ?? [];
    if (part === "") throw new Error(`Pulumi cannot read ${path}`);
    keys.push(index === undefined ? (quoted?.replaceAll('\\"', '"') ?? name ?? "") : Number(index));
    rest = rest.slice(part.length);
  }
  return keys;
}
