import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Claims, ownClaims } from "../../src/operation/claims.ts";
import { createLocks } from "../../src/operation/locks.ts";
import { createMetadataOwnership, type MetadataOwnership } from "../../src/operation/metadata-ownership.ts";
import { createOwnership, type Ownership } from "../../src/operation/ownership.ts";
import { claimsFolder } from "./claims-folder.ts";

const [acme, globex, initech] = ["Tenant acme", "Tenant globex", "Tenant initech"];
const otherWork = () => Promise.resolve();

/** Claims that count the events. */
function countedClaims() {
  const events: string[] = [];
  const claims = ownClaims();
  const define: Claims["define"] = (kind, schema, apply) => {
    const add = claims.define(kind, schema, apply);
    return (...values) => {
      events.push(kind);
      add(...values);
    };
  };
  return { events, claims: { ...claims, define } satisfies Claims };
}

function declare(ownership: Ownership, owner: string, more: Partial<Parameters<Ownership["declare"]>[1]> = {}) {
  ownership.declare(owner, { integrationId: 101, name: "acme", hasState: false, ...more });
}

describe("two owners with one name", () => {
  function twins(one: object, other: object) {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme, one);
    declare(ownership, globex, other);
    return { twin: ownership.twinOf(acme), namesake: ownership.namesakeOf(acme) };
  }

  test.each<[string, object, object, boolean]>([
    ["are twins", {}, {}, true],
    ["are twins if one has a state", { hasState: true }, {}, true],
    ["are none if both have a state", { hasState: true }, { hasState: true }, false],
    ["are none if this one adopts an id", { adopts: 5 }, {}, false],
    ["are none if the other one adopts an id", {}, { adopts: 5 }, false],
    ["are twins if the one that adopted an id has a state by now", { adopts: 5, hasState: true }, {}, true],
  ])("%s", (_, one, other, areTwins) => {
    expect(twins(one, other)).toEqual({ twin: areTwins ? globex : undefined, namesake: globex });
  });

  test.each<[string, object, object]>([
    ["of two integrations", {}, { integrationId: 102 }],
    ["of two names", {}, { name: "globex" }],
    ["without names", { name: undefined }, { name: undefined }],
  ])("%s are neither", (_, one, other) => {
    expect(twins(one, other)).toEqual({ twin: undefined, namesake: undefined });
  });

  test("are none once one is declared under another name", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    declare(ownership, globex);
    declare(ownership, globex, { name: "globex" });
    expect(ownership.twinOf(acme)).toBeUndefined();
  });
});

test("an owner without a known name declares no other one", () => {
  const ownership = createOwnership(ownClaims());
  declare(ownership, acme, { name: undefined });
  expect(ownership.declaresOtherName(acme, "acme")).toBe(false);
  declare(ownership, acme);
  expect([ownership.declaresOtherName(acme, "acme"), ownership.declaresOtherName(acme, "b")]).toEqual([false, true]);
});

describe("a rival", () => {
  const tenantOf = (id: number) => ({ id, integrationId: 101 });

  test("holds the tenant and is declared", () => {
    const ownership = createOwnership(ownClaims());
    ownership.hold(globex, 5);
    expect(ownership.rivalOf(acme, tenantOf(5))).toBeUndefined();
    declare(ownership, globex);
    expect([ownership.rivalOf(acme, tenantOf(5)), ownership.rivalOf(globex, tenantOf(5))]).toEqual([globex, undefined]);
  });

  test("is not one that moves to another integration", () => {
    const ownership = createOwnership(ownClaims());
    ownership.hold(globex, 5);
    declare(ownership, globex, { integrationId: 102 });
    expect([ownership.rivalOf(acme, tenantOf(5)), ownership.keepersOf(tenantOf(5))]).toEqual([undefined, []]);
    expect(ownership.holdersOf(5)).toEqual([globex]);
  });

  test("is the first that adopts the tenant's id", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, globex, { adopts: 5 });
    declare(ownership, initech, { adopts: 5 });
    expect([ownership.rivalOf(acme, tenantOf(5)), ownership.rivalOf(initech, tenantOf(5))]).toEqual([globex, globex]);
    expect([ownership.rivalOf(globex, tenantOf(5)), ownership.rivalOf(acme, tenantOf(6))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("is not one that adopts the id no longer, or has a state by now", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, globex, { adopts: 5 });
    declare(ownership, globex, { adopts: 6 });
    declare(ownership, initech, { adopts: 5, hasState: true });
    expect(ownership.rivalOf(acme, tenantOf(5))).toBeUndefined();
  });
});

describe("a claimant", () => {
  const tenant = { id: 5, integrationId: 101, name: "acme" };
  const claimant = (ownership: Ownership) => ownership.claimantOf([initech], tenant);

  test("declares the name, or adopts the id", () => {
    const [named, adopting] = [createOwnership(ownClaims()), createOwnership(ownClaims())];
    declare(named, acme);
    declare(adopting, globex, { name: "globex", adopts: 5 });
    expect([claimant(named), claimant(adopting)]).toEqual([acme, globex]);
    expect(claimant(createOwnership(ownClaims()))).toBeUndefined();
  });

  test("is not the owner itself, and holds no tenant", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, initech);
    declare(ownership, acme);
    ownership.hold(acme, 7);
    expect(claimant(ownership)).toBeUndefined();
  });

  test("may have given up the tenant that it held", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    ownership.hold(acme, 7);
    ownership.hold(acme, 8);
    ownership.release(acme, 7);
    expect(claimant(ownership)).toBeUndefined();
    ownership.release(acme, 8);
    expect(claimant(ownership)).toBe(acme);
  });

  test("is not one that adopts another id", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme, { adopts: 6 });
    expect(claimant(ownership)).toBeUndefined();
  });

  test("is not one that is declared otherwise by now", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    declare(ownership, acme, { name: "other" });
    declare(ownership, globex, { name: "globex", adopts: 5 });
    declare(ownership, globex, { name: "globex", adopts: 6 });
    expect(claimant(ownership)).toBeUndefined();
  });
});

describe("a replacement before the deletion", () => {
  test.each<[string, (ownership: Ownership) => void, boolean]>([
    ["is that of an owner with a state", () => {}, true],
    ["is none once the owner holds its tenant", (ownership) => ownership.hold(acme, 5), false],
    ["is none once it has released one", (ownership) => ownership.release(acme, 5), false],
    ["is none if it starts anew", (ownership) => ownership.startAnew(acme), false],
    [
      "is one again if it is then declared with a state",
      (ownership) => {
        ownership.startAnew(acme);
        declare(ownership, acme, { hasState: true });
      },
      true,
    ],
  ])("%s", (_, then, expected) => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme, { hasState: true });
    declare(ownership, acme); // a check after the read keeps that it has one
    then(ownership);
    expect(ownership.isReplacedBeforeDelete(acme)).toBe(expected);
  });

  test("is none of an owner that nothing declares, and starting anew declares nothing", () => {
    const ownership = createOwnership(ownClaims());
    ownership.startAnew(acme);
    expect([ownership.isReplacedBeforeDelete(acme), ownership.isDeclared(acme)]).toEqual([false, false]);
  });
});

describe("archiving", () => {
  test("is known while it lasts, also if it fails", async () => {
    const ownership = createOwnership(ownClaims());
    const archiver = () => ownership.archiverOf(5);
    expect(await ownership.duringArchive(acme, 5, async () => archiver())).toBe(acme);
    expect(archiver()).toBeUndefined();
    const failing = ownership.duringArchive(acme, 5, async () => Promise.reject(new Error("refused")));
    expect(archiver()).toBe(acme);
    await expect(failing).rejects.toThrow("refused");
    expect(archiver()).toBeUndefined();
  });

  test("is known to other processes, and so is its end, what starts anew, and what is gone", async () => {
    using here = claimsFolder();
    const [one, other] = [createOwnership(here.open()), createOwnership(here.open())];
    const { promise, resolve } = Promise.withResolvers<void>();
    declare(one, acme, { hasState: true });
    const archiving = one.duringArchive(acme, 5, () => promise);
    await otherWork();
    expect([other.archiverOf(5), other.isReplacedBeforeDelete(acme), other.wasFoundGone(5)]).toEqual([
      acme,
      true,
      false,
    ]);
    resolve();
    await archiving;
    one.startAnew(acme);
    one.findGone(5);
    await otherWork();
    expect([other.archiverOf(5), other.isReplacedBeforeDelete(acme), other.wasFoundGone(5)]).toEqual([
      undefined,
      false,
      true,
    ]);
  });
});

test("a tenant that is taken over is held, and known as taken after its release", () => {
  const ownership = createOwnership(ownClaims());
  ownership.take(acme, 5);
  expect([ownership.holdersOf(5), ownership.takerOf(5)]).toEqual([[acme], acme]);
  ownership.release(acme, 5);
  expect([ownership.holdersOf(5), ownership.takerOf(5)]).toEqual([[], acme]);
});

test("an owner that starts anew still declares its name", () => {
  const ownership = createOwnership(ownClaims());
  declare(ownership, acme, { hasState: true });
  declare(ownership, globex, { hasState: true });
  ownership.startAnew(acme);
  expect(ownership.namesakeOf(globex)).toBe(acme);
  expect(ownership.declaresOtherName(acme, "acme")).toBe(false);
});

test("a tenant that is held again adds no event", () => {
  const { events, claims } = countedClaims();
  const ownership = createOwnership(claims);
  events.length = 0;
  ownership.hold(acme, 5);
  ownership.hold(acme, 5);
  ownership.hold(globex, 5);
  expect(events).toEqual(["hold", "hold"]);
  expect(ownership.holdersOf(5)).toEqual([acme, globex]);
});

describe("the last diff of an owner", () => {
  test("is known from the owner's first check on", () => {
    const ownership = createOwnership(ownClaims());
    ownership.noteDiff(acme, { id: 5, isReplaced: true });
    expect(ownership.lastDiffOf(acme)).toBeUndefined();
    declare(ownership, acme);
    ownership.noteDiff(acme, { id: 5, isReplaced: true });
    expect(ownership.lastDiffOf(acme)).toEqual({ id: 5, isReplaced: true });
    ownership.noteDiff(acme, { id: 5, isReplaced: false });
    ownership.noteDiff(acme, { id: 6, isReplaced: false });
    expect(ownership.lastDiffOf(acme)).toEqual({ id: 6, isReplaced: false });
  });

  test("adds an event only if it has changed", () => {
    const { events, claims } = countedClaims();
    const ownership = createOwnership(claims);
    declare(ownership, acme);
    events.length = 0;
    for (const isReplaced of [true, true, true, false, false]) ownership.noteDiff(acme, { id: 5, isReplaced });
    ownership.noteDiff(acme, { id: 6, isReplaced: false });
    expect(events).toEqual(["diff", "diff", "diff"]);
  });
});

test("a replacement that succeeds after all ends its own refusal only, and adds an event only if there was one", () => {
  const { events, claims } = countedClaims();
  const ownership = createOwnership(claims);
  ownership.hold(acme, 5);
  ownership.hold(globex, 6);
  for (const owner of [acme, globex]) ownership.refuseReplacement(owner);
  events.length = 0;
  ownership.endReplacement(acme);
  ownership.endReplacement(acme);
  expect([5, 6].map((id) => ownership.isReplacementRefused(id))).toEqual([false, true]);
  expect(events).toEqual(["end replacement"]);
});

describe("the keys of metadata", () => {
  function metadataOf(claims: Claims = ownClaims()) {
    const ownership = createOwnership(claims);
    return { ownership, metadata: createMetadataOwnership(claims, ownership, createLocks(claims)) };
  }
  const keysIn = (keys: { size: number; has(key: string): boolean }) =>
    [keys.size, ...["plan", "seats", "tier"].filter((key) => keys.has(key))] as const;

  const [first, second, third] = ["TenantMetadata first", "TenantMetadata second", "TenantMetadata third"];

  test("of others do not include one's own", () => {
    const { metadata } = metadataOf();
    expect(keysIn(metadata.keysOfOthers(first, 5))).toEqual([0]);
    metadata.hold(first, 5, ["plan"]);
    metadata.hold(second, 5, ["seats"]);
    metadata.hold(third, 6, ["tier"]);
    expect(keysIn(metadata.keysOfOthers(first, 5))).toEqual([1, "seats"]);
    expect(keysIn(metadata.keysOfOthers(third, 5))).toEqual([2, "plan", "seats"]);
  });

  test("that a release leaves are those of others, and all that creates took", () => {
    const { metadata } = metadataOf();
    metadata.hold(first, 5, ["plan"]);
    expect(keysIn(metadata.release(first, 5))).toEqual([0]);
    expect(keysIn(metadata.keysOfOthers(second, 5))).toEqual([0]);
    metadata.take(second, 5, ["seats"]);
    metadata.take(third, 5, ["tier"]);
    expect(keysIn(metadata.release(second, 5))).toEqual([2, "seats", "tier"]);
  });

  test("are known to other processes, whatever these ask first", async () => {
    using here = claimsFolder();
    const asks = [
      (metadata: MetadataOwnership) => keysIn(metadata.keysOfOthers(second, 5)),
      (metadata: MetadataOwnership) => keysIn(metadata.release(second, 5)),
    ];
    const others = asks.map(() => metadataOf(here.open()).metadata);
    const { ownership, metadata } = metadataOf(here.open());
    const refusing = metadataOf(here.open()).metadata;
    await nextTurn(); // all of them have read the file by now, so that they have to do so again
    ownership.declare(first, { integrationId: 0, name: undefined, hasState: false });
    metadata.hold(first, 5, ["plan"]);
    await nextTurn();
    expect(asks.map((ask, index) => others[index] && ask(others[index]))).toEqual([
      [1, "plan"],
      [1, "plan"],
    ]);
    expect(() => refusing.refuseRival(second, 5, ["plan"])).toThrow(/both have plan/);
  });

  test("add an event only if they have changed", () => {
    const { events, claims } = countedClaims();
    const { metadata } = metadataOf(claims);
    events.length = 0;
    metadata.release(first, 5);
    metadata.hold(first, 5, ["plan"]);
    metadata.hold(first, 5, ["plan"]);
    metadata.hold(first, 5, ["plan", "seats"]);
    expect(keysIn(metadata.keysOfOthers(second, 5))).toEqual([2, "plan", "seats"]);
    metadata.release(first, 5);
    metadata.release(first, 5);
    expect(events).toEqual(["hold metadata", "hold metadata", "release metadata"]);
  });

  test("of another process are known, and so is their release", async () => {
    using here = claimsFolder();
    const [one, other] = [metadataOf(here.open()).metadata, metadataOf(here.open()).metadata];
    one.hold(first, 5, ["plan"]);
    await otherWork();
    expect(keysIn(other.release(second, 5))).toEqual([1, "plan"]);
    expect(keysIn(other.release(first, 5))).toEqual([0]); // a rename has moved it to this process
    await otherWork();
    expect(keysIn(one.keysOfOthers(second, 5))).toEqual([0]);
  });

  test("are held again after another process has released them", async () => {
    using here = claimsFolder();
    const open = () => metadataOf(here.open()).metadata;
    const [one, other, asked] = [open(), open(), open()];
    await nextTurn();
    one.hold(first, 5, ["plan"]);
    await nextTurn();
    other.release(first, 5);
    await nextTurn();
    expect(keysIn(asked.keysOfOthers(second, 5))).toEqual([0]);
    one.hold(first, 5, ["plan"]);
    await nextTurn();
    expect(keysIn(other.keysOfOthers(second, 5))).toEqual([1, "plan"]);
  });

  test("of a tenant do not include those of its former name, which an alias has changed", () => {
    const { metadata } = metadataOf();
    metadata.hold(acme, 5, ["plan"]);
    metadata.hold("TenantFleet billing/acme", 5, ["seats"]);
    expect(keysIn(metadata.keysOfOthers(globex, 5))).toEqual([0]);
    metadata.hold(first, 5, ["tier"]);
    expect(keysIn(metadata.keysOfOthers(globex, 5))).toEqual([1, "tier"]);
    expect(keysIn(metadata.keysOfOthers(first, 5))).toEqual([2, "plan", "seats"]);
  });

  test("of another process refuse a rival", async () => {
    using here = claimsFolder();
    const [one, other] = [metadataOf(here.open()), metadataOf(here.open())];
    declare(one.ownership, acme);
    one.metadata.hold(acme, 5, ["plan"]);
    await otherWork();
    expect(() => other.metadata.refuseRival("TenantMetadata of-acme", 5, ["seats"])).toThrow("declared twice");
  });

  test.each<[string, string, readonly string[], RegExp | undefined]>([
    [
      first,
      second,
      ["plan"],
      /^the metadata of tenant 5 is declared twice, by .*: both have plan\. Declare each key once$/,
    ],
    [first, second, ["seats"], undefined],
    [first, acme, ["seats"], /declare it as `metadata` of the tenant/],
    [acme, second, ["seats"], /declare it as `metadata` of the tenant/],
    [acme, globex, ["plan"], undefined],
    [first, first, ["plan"], undefined],
  ])("of %s and of %s, with %j: %s", (holder, owner, keys, refusal) => {
    const { ownership, metadata } = metadataOf();
    metadata.hold(holder, 5, ["plan"]);
    const check = () => metadata.refuseRival(owner, 5, keys);
    expect(check).not.toThrow(); // nothing declares the holder
    declare(ownership, holder);
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(refusal);
    expect(() => metadata.refuseRival(owner, 6, keys)).not.toThrow();
  });
});
