import { describe, expect, test } from "vitest";
import { parseWhere } from "../../../src/cli/tenants/where.ts";
import { unread } from "../../../src/cli/tenants/where-operators.ts";

const acme = {
  id: 1,
  name: "acme",
  paused: false,
  connected: null,
  release: { id: 7, tag: "v1.2.0", channel: null },
  lastRun: { outcome: "failed", startedAt: "2026-03-01T00:00:00.000Z" },
  configs: { size: 200, tags: ["a", "b"], "billing-plan": "x", nested: { "a.b": true } },
  metadata: { plan: "gold", seats: 12 },
};

const isMet = (expression: string, fields: { id: number; name: string } = acme) => parseWhere(expression).isMet(fields);

function mistakeIn(expression: string): string {
  try {
    parseWhere(expression).isMet(acme);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "no mistake";
}

describe("a condition of --where", () => {
  test.each([
    ['metadata.plan == "gold" and release.tag != "v1.3.0"', true],
    ['metadata.plan == "gold" and release.tag != "v1.2.0"', false],
    ['metadata.plan in ("gold", "silver")', true],
    ['metadata.plan in("silver","tin")', false],
    ['metadata.plan not in ("silver")', true],
    ['"a" in configs.tags', true],
    ["paused == false", true],
    ["not paused", true],
    ["not(paused)", true],
    ['paused or(metadata.plan=="gold")', true],
    ['not (metadata.plan == "gold")', false],
    ["metadata.seats > 10 and metadata.seats <= 12", true],
    ["metadata.seats * 2 - 4 == 20", true],
    ["-metadata.seats < 0", true],
    ["10 < metadata.seats < 12", false],
    ['lastRun.startedAt < "2026-04-01"', true],
    ['name ~= "^ac"', true],
    ["'billing-plan' of configs == \"x\"", true],
    ["'a.b' of nested of configs", true],
    ["configs.tags.length == 2", true],
    ['if paused then false else name == "acme"', true],
    ['name == "a\\"b"', false],
    ['name ==\n\t"acme"', true],
  ])("%s is %s", (expression, expected) => {
    expect(isMet(expression)).toBe(expected);
  });

  test.each([
    ['metadata.region == "eu"', false],
    ['metadata.region != "eu"', true],
    ['metadata.region.code.deep == "eu"', false],
    ['metadata.region in ("eu")', false],
    ['metadata.region not in ("eu")', true],
    ["metadata.region > 5", false],
    ["metadata.region + 1 > 5", false],
    ['metadata.region ~= "."', false],
    ["metadata.beta", false],
    ["not metadata.beta", true],
    ["metadata.beta or true", true],
    ["metadata.region == null", true],
    ["exists(metadata.region)", false],
    ["exists(metadata.plan) and empty(metadata.region)", true],
    ["connected", false],
    ["'x' of region of metadata == 1", false],
    ["metadata.constructor == null and metadata.__proto__ == null", true],
    ["exists(metadata.plan.length)", false],
  ])("on what a tenant does not have: %s is %s", (expression, expected) => {
    expect(isMet(expression)).toBe(expected);
  });

  test("waits for the metadata only if the rest does not decide", () => {
    const fields = { ...acme, metadata: unread };
    expect(isMet('metadata.plan == "gold"', fields)).toBeUndefined();
    expect(isMet('not paused and metadata.plan == "gold"', fields)).toBeUndefined();
    expect(isMet('paused and metadata.plan == "gold"', fields)).toBe(false);
    expect(isMet('not paused or metadata.plan == "gold"', fields)).toBe(true);
  });

  test.each([
    ['metadata.plan = "gold"', "write == to compare", 14],
    ['paused && metadata.plan == "gold"', "write and", 7],
    ["!paused", "write not (...)", 0],
    ['name == "東京" && paused', "write and", 15],
    ["paused AND connected", '"AND" is not allowed here', 7],
    ["(paused", "something is missing at the end", 7],
    ["paused or", "something is missing at the end", 9],
    ["", "something is missing at the end", 0],
    ["paused)", '")" is not allowed here', 6],
    ['name == "acme', "the string has no closing quote", 8],
    ["release.tag == v1.3.0", "tenants have no field v1.3.0", 15],
    ["release.tag == 1.3.0", "write a string such as a version in double quotes", 15],
    ["release.tag != 'v1.3.0'", "write strings in double quotes", 15],
    ['relase.tag != "v1"', 'no field relase.tag; did you mean "release.tag"', 0],
    ['release.tga != "v1"', 'did you mean "release.tag"', 0],
    ['tga of release == "v1"', "tenants have no field release.tga", 7],
    ['lowercase(name) == "acme"', "there is no function lowercase", 0],
    ['not name == "acme"', "write parentheses after not", 0],
    ['configs.billing-plan == "x"', "'billing-plan' of configs", 0],
  ])("shows the place of the mistake in %s", (expression, reason, place) => {
    const [message, shown, caret] = mistakeIn(expression).split("\n");
    expect(message).toMatch(/^--where: /);
    expect(message).toContain(reason);
    expect(shown).toBe(`  ${expression}`);
    expect(caret).toBe(`  ${" ".repeat(place)}^`);
  });

  test("shows only what is around the mistake in a long expression", () => {
    const long = `name in (${Array(20_000).fill('"a"').join(", ")}) and`;
    const [message, shown = "", caret = ""] = mistakeIn(`${long} or ${long}`).split("\n");
    expect(message).toBe('--where: "or" is not allowed here');
    expect(shown.length).toBeLessThan(700);
    expect(shown.slice(caret.indexOf("^") - 4)).toMatch(/^and or name in /);
  });

  test.each([
    ["parentheses", `${"(".repeat(60_000)}paused`],
    ["negations", `${"not ".repeat(30_000)}paused`],
    ["conditions", Array(8000).fill("paused").join(" or ")],
    ["keys of keys", `${"'a' of ".repeat(18_000)}metadata`],
  ])("says what to do about too many %s", (_, expression) => {
    expect(mistakeIn(expression)).toMatch(
      /^--where: the expression is too long or too deeply nested; write .* as a list/,
    );
  });

  test.each([
    ["metadata.plan and paused", "text"],
    ["metadata.plan", "not a condition"],
    ["metadata.plan > 5", "it compares a string with a number"],
    ["metadata.plan + 1 == 2", "a string and a number"],
    ['name ~= "("', "not a regular expression"],
    ["name ~= configs.size", "not a regular expression"],
  ])("names the tenant, and no value, if %s has values of wrong types", (expression, reason) => {
    const message = mistakeIn(expression);
    expect(message).toContain('tenant "acme" (1)');
    expect(message).toContain(reason);
    expect(message).not.toMatch(/gold|200/);
  });
});
