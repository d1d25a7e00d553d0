import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { type TenantInputs, tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { acme, brought, failureOf, type Stage, stage } from "../stage.ts";

const ways = ["replace", "merge", "merge-patch"] as const;
const objects = ["configs", "metadata"] as const;
const combinations = objects.flatMap((name) => ways.map((way) => [name, way] as const));
type Name = (typeof objects)[number];

const before = { own: "a", gone: "b", nested: { one: 1, two: 2 }, list: [1, 2] };
const others = { theirs: { deep: [true, null] }, region: "eu" };

describe.concurrent.each(combinations)("%s, which a PATCH takes by %s", (name, way) => {
  const isShallow = way === "merge";

  test("keeps undeclared keys", async () => {
    await using on = await stage({ variants: variant(name, way) });
    const { id, state } = await bringWithOthers(on, name);
    await on.operation().tenant.update(id, state, declaring(name, { ...before, own: "c" }));
    expect((await on.tenant(id))[name]).toEqual({ ...others, ...before, own: "c" });
  });

  test("adds keys, and changes them at any depth", async () => {
    await using on = await stage({ variants: variant(name, way) });
    const { id, state } = await bringWithOthers(on, name);
    const now = { ...before, nested: { one: 1, two: { three: [] } }, list: [2], added: {} };
    expect((await on.operation().tenant.update(id, state, declaring(name, now)))[name]).toEqual(now);
    expect((await on.tenant(id))[name]).toEqual({ ...others, ...now });
  });

  test("removes a key inside a declared key", async () => {
    await using on = await stage({ variants: variant(name, way) });
    const { id, state } = await bringWithOthers(on, name);
    const now = { ...before, nested: { two: 2 } };
    await on.operation().tenant.update(id, state, declaring(name, now));
    expect((await on.tenant(id))[name]).toEqual({ ...others, ...now });
  });

  if (!isShallow)
    test("removes a key that is no longer declared", async () => {
      await using on = await stage({ variants: variant(name, way) });
      const { id, state } = await bringWithOthers(on, name);
      const { gone: _, ...now } = before;
      const updated = await on.operation().tenant.update(id, state, declaring(name, now));
      expect(updated[name]).toEqual(now);
      expect((await on.tenant(id))[name]).toEqual({ ...others, ...now });
    });

  if (!isShallow)
    test("removes all of them when the object is no longer declared", async () => {
      await using on = await stage({ variants: variant(name, way) });
      const { id, state } = await bringWithOthers(on, name);
      const updated = await on.operation().tenant.update(id, state, acme);
      expect(updated).not.toHaveProperty(name);
      expect((await on.tenant(id))[name]).toEqual(others);
    });

  if (isShallow)
    test("cannot remove a key: an error names it without its value", async () => {
      await using on = await stage({ variants: variant(name, way) });
      const { id, state } = await bringWithOthers(on, name, { ...before, gone: "s3cret" });
      const { gone: _, ...now } = before;
      const failure = await failureOf(on.operation().tenant.update(id, state, declaring(name, now)));
      expect(failure.name).toBe("IncompleteError");
      expect(failure.message).toMatch(new RegExp(`no way to remove.*${name}\\.gone`));
      expect(failure.message).not.toContain("s3cret");
      expect((await on.tenant(id))[name]).toMatchObject({ ...others, ...now });
      await expectOutstanding(on, failure, now);
    });

  test("remembers a key that must still be removed, whatever happens in between", async () => {
    await using on = await stage({ variants: variant(name, way) });
    const { id, state } = await bringWithOthers(on, name, { ...before, gone: "s3cret" });
    const { gone: _, ...now } = before;
    on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" } });
    const failure = await failureOf(on.operation().tenant.update(id, state, declaring(name, now)));
    await expectOutstanding(on, failure, now);
  });

  /** The failure's state and a refresh of it still contain the key without its value. Declaring it again brings it back. */
  async function expectOutstanding(on: Stage, failure: Error, now: JsonObject) {
    if (!(failure instanceof IncompleteError)) throw failure;
    const { id, state } = failure;
    const read = await on.operation().tenant.read(id, state);
    expect(JSON.stringify([state, read])).not.toContain("s3cret");
    expect(Object.keys(state[name])).toContain("gone");
    expect(read?.state).toEqual(state);
    expect(await on.operation().tenant.diff(id, state, declaring(name, now))).toEqual({ isChanged: true });
    const next = on.operation().tenant.update(id, state, declaring(name, now));
    if (isShallow) expect((await failureOf(next)).message).toMatch(/no way to remove/);
    else expect((await next)[name]).toEqual(now);
    const back = { ...now, gone: "back" };
    expect((await on.operation().tenant.update(id, state, declaring(name, back)))[name]).toEqual(back);
  }

  test("succeeds if somebody else has already removed the key", async () => {
    await using on = await stage({ variants: variant(name, way) });
    const { id, state } = await bringWithOthers(on, name);
    const { gone: _, ...now } = before;
    await on.changeByHand(id, { [name]: { ...others, ...now } });
    on.emulator.clearRequests();
    await on.operation().tenant.update(id, state, declaring(name, now));
    expect(on.writes()).toEqual([]);
  });
});

test.concurrent("a key that falls back to the default of the schema counts as removed", async () => {
  await using on = await stage();
  const made = { ...acme, release: { tag: "v1.1.0" }, configs: { region: "eu", currency: "USD" } };
  const { id, state } = await brought(on, made);
  await on.operation().tenant.update(id, state, { ...made, configs: { region: "eu" } });
  expect((await on.tenant(id)).configs).toEqual({ region: "eu", currency: "EUR" });
});

test.concurrent("keys with the names of members of every object are ordinary keys", async () => {
  await using on = await stage();
  const odd = { constructor: 1, toString: { valueOf: "x" } };
  const { id, state } = await brought(on, { ...acme, configs: { own: 1, ...odd } });
  await on.changeByHand(id, { configs: { own: 1, ...odd, hasOwnProperty: true } });
  const updated = await on.operation().tenant.update(id, state, { ...acme, configs: { own: 2, toString: "y" } });
  expect(updated.configs).toEqual({ own: 2, toString: "y" });
  expect((await on.tenant(id)).configs).toEqual({ own: 2, toString: "y", hasOwnProperty: true });
});

test.concurrent("a metadata key `__proto__` is a key like others", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...acme, metadata: { own: 1 } });
  const metadata: JsonObject = JSON.parse('{"own":2,"__proto__":{"plan":"gold"}}');
  const updated = await on.operation().tenant.update(id, state, { ...acme, metadata });
  expect(JSON.stringify(updated.metadata)).toBe(JSON.stringify(metadata));
  expect(JSON.stringify(on.writes()[0]?.body)).toContain('"__proto__":{"plan":"gold"}');
});

test.concurrent("metadata that were never written are read as empty, even if the response is a 404", async () => {
  await using on = await stage({ variants: { metadataWhenNone: "missing" } });
  const { id, state } = await brought(on, acme);
  expect((await on.operation().tenant.update(id, state, { ...acme, metadata: { plan: "gold" } })).metadata).toEqual({
    plan: "gold",
  });
});

test("a removal is made up for in the next up if this one fails before a read shows whether the key is gone", async () => {
  await using on = await stage({ variants: { configs: "merge" } });
  const made = { ...acme, configs: { region: "eu", extra: 2 }, metadata: { plan: "gold" } };
  const { id, state } = await brought(on, made);
  // the answer says what was sent
  const answer = { ...(await on.tenant(id)), configs: { region: "us" } };
  const match = { method: "PATCH", path: `^/v2/tenants/${id}$` };
  on.emulator.fault({ kind: "status", status: 200, applied: true, body: answer, match });
  on.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH", path: "/metadata$" } });
  const now = { ...acme, configs: { region: "us" }, metadata: { plan: "tin" } };
  const failure = await failureOf(on.operation().tenant.update(id, state, now));
  if (!(failure instanceof IncompleteError)) throw failure;
  expect((await on.tenant(id)).configs).toEqual({ region: "us", extra: 2 });
  const next = await failureOf(on.operation().tenant.update(id, tenantStateSchema.parse(failure.state), now));
  expect(next.message).toMatch(/configs\.extra/);
});

function variant(name: Name, way: (typeof ways)[number]): Partial<Variants> {
  return name === "configs" ? { configs: way } : { metadata: way };
}

function declaring(name: Name, value: JsonObject): TenantInputs {
  return { ...acme, [name]: value };
}

/** A tenant that also has undeclared keys. */
async function bringWithOthers(on: Stage, name: Name, own: JsonObject = before) {
  const made = await brought(on, declaring(name, own));
  await on.changeByHand(made.id, { [name]: { ...others, ...own } });
  return made;
}
