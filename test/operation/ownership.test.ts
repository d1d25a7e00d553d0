import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Claims, ownClaims } from "../../src/operation/claims.ts";
import { createOwnership } from "../../src/operation/create-ownership.ts";
import { createLocks } from "../../src/operation/locks.ts";
import { createMetadataOwnership, type MetadataOwnership } from "../../src/operation/metadata-ownership.ts";
import type { Ownership } from "../../src/operation/ownership.ts";
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
  return ownership.declare(owner, { integrationId: 101, name: "acme", hasState: false, ...more });
}

describe("two owners with one name", () => {
  function declareBoth(one: object, other: object) {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme, one);
    const duplicate = declare(ownership, globex, other);
    return { duplicate, sameName: ownership.sameNameAs(globex) };
  }

  test.each<[string, object, object, boolean]>([
    ["declare one tenant", {}, {}, true],
    ["declare one tenant if only the first has a state", { hasState: true }, {}, true],
    ["declare one tenant if only the second has a state", {}, { hasState: true }, true],
    ["declare two tenants if both have a state", { hasState: true }, { hasState: true }, false],
    ["declare two tenants if the first adopts an id", { adopts: 5 }, {}, false],
    ["declare two tenants if the second adopts an id", {}, { adopts: 5 }, false],
    ["declare one tenant if the one that adopted an id has a state by now", { adopts: 5, hasState: true }, {}, true],
  ])("%s", (_, one, other, isOneTenant) => {
    expect(declareBoth(one, other)).toEqual({ duplicate: isOneTenant ? acme : undefined, sameName: acme });
  });

  test.each<[string, object, object]>([
    ["of two integrations", {}, { integrationId: 102 }],
    ["of two names", {}, { name: "globex" }],
    ["without names", { name: undefined }, { name: undefined }],
  ])("%s do not have one", (_, one, other) => {
    expect(declareBoth(one, other)).toEqual({ duplicate: undefined, sameName: undefined });
  });

  test("do not have one name once one is declared under another name", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    declare(ownership, globex);
    declare(ownership, globex, { name: "globex" });
    expect(declare(ownership, acme)).toBeUndefined();
    expect(ownership.sameNameAs(acme)).toBeUndefined();
  });
});

test("an owner gives up the name of its tenant once it declares another one", () => {
  const ownership = createOwnership(ownClaims());
  const givesUp = (name: string, owner = globex) => ownership.givesUpName(owner, 5, name);
  ownership.hold(acme, 5);
  expect(givesUp("acme")).toBe(false); // nothing declares it
  declare(ownership, acme, { name: undefined });
  expect(givesUp("acme")).toBe(false);
  declare(ownership, acme);
  expect([givesUp("acme"), givesUp("b"), givesUp("b", acme)]).toEqual([false, true, false]);
});

describe("another owner of a tenant", () => {
  const tenantOf = (id: number) => ({ id, integrationId: 101 });

  test("holds the tenant and is declared", () => {
    const ownership = createOwnership(ownClaims());
    ownership.hold(globex, 5);
    expect(ownership.otherOwnerOf(acme, tenantOf(5))).toBeUndefined();
    declare(ownership, globex);
    expect([ownership.otherOwnerOf(acme, tenantOf(5)), ownership.otherOwnerOf(globex, tenantOf(5))]).toEqual([
      globex,
      undefined,
    ]);
  });

  test("is not one that moves to another integration", () => {
    const ownership = createOwnership(ownClaims());
    ownership.hold(globex, 5);
    declare(ownership, globex, { integrationId: 102 });
    expect(ownership.otherOwnerOf(acme, tenantOf(5))).toBeUndefined();
    expect(ownership.mayBecomeFree(acme, tenantOf(5))).toBe(false); // whoever creates acme first finds it live
    expect(ownership.holdersOf(5)).toEqual([globex]);
  });

  test("is none of an owner that moves to another integration", () => {
    const ownership = createOwnership(ownClaims());
    for (const owner of [acme, globex]) ownership.hold(owner, 5);
    declare(ownership, acme, { integrationId: 102 });
    declare(ownership, globex);
    expect(ownership.otherOwnerOf(acme, tenantOf(5))).toBeUndefined();
    expect(ownership.nextOwnerOf(acme, { ...tenantOf(5), name: "acme" })).toBe(globex);
  });

  test("lets go of it if nothing declares it, and so does the owner itself", () => {
    const ownership = createOwnership(ownClaims());
    const mayBecomeFree = () => ownership.mayBecomeFree(acme, tenantOf(5));
    expect(mayBecomeFree()).toBe(false); // nobody holds it
    ownership.hold(acme, 5);
    ownership.hold(globex, 5);
    declare(ownership, acme);
    expect(mayBecomeFree()).toBe(true);
    declare(ownership, globex);
    expect(mayBecomeFree()).toBe(false);
  });

  test("is the first that adopts the tenant's id", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, globex, { adopts: 5 });
    declare(ownership, initech, { adopts: 5 });
    expect([ownership.otherOwnerOf(acme, tenantOf(5)), ownership.otherOwnerOf(initech, tenantOf(5))]).toEqual([
      globex,
      globex,
    ]);
    expect([ownership.otherOwnerOf(globex, tenantOf(5)), ownership.otherOwnerOf(acme, tenantOf(6))]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("is not one that adopts the id no longer, or has a state by now", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, globex, { adopts: 5 });
    declare(ownership, globex, { adopts: 6 });
    declare(ownership, initech, { adopts: 5, hasState: true });
    expect(ownership.otherOwnerOf(acme, tenantOf(5))).toBeUndefined();
  });
});

describe("the next owner", () => {
  const tenant = { id: 5, integrationId: 101, name: "acme" };
  const next = (ownership: Ownership) => ownership.nextOwnerOf(initech, tenant);

  test("is one that holds the tenant, and is declared", () => {
    const ownership = createOwnership(ownClaims());
    ownership.hold(acme, 5);
    expect(next(ownership)).toBeUndefined();
    expect(ownership.nextOwnerOf(initech, tenant, { includesUndeclared: true })).toBe(acme);
    declare(ownership, acme, { name: "other" });
    expect(next(ownership)).toBe(acme);
  });

  test("declares the name, or adopts the id", () => {
    const [named, adopting] = [createOwnership(ownClaims()), createOwnership(ownClaims())];
    declare(named, acme);
    declare(adopting, globex, { name: "globex", adopts: 5 });
    expect([next(named), next(adopting)]).toEqual([acme, globex]);
    expect(next(createOwnership(ownClaims()))).toBeUndefined();
  });

  test("is not the owner itself, under none of its names, and holds no tenant", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, initech);
    declare(ownership, globex);
    expect(ownership.nextOwnerOf(initech, tenant, { declaredOwner: globex })).toBeUndefined();
    ownership.hold(globex, 8);
    declare(ownership, acme);
    ownership.hold(acme, 7);
    expect(next(ownership)).toBeUndefined();
  });

  test("may have given up the tenant that it held", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    ownership.hold(acme, 7);
    ownership.hold(acme, 8);
    ownership.release(acme, 7);
    expect(next(ownership)).toBeUndefined();
    ownership.release(acme, 8);
    expect(next(ownership)).toBe(acme);
  });

  test("is not one that adopts another id", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme, { adopts: 6 });
    expect(next(ownership)).toBeUndefined();
  });

  test("is not one that is declared otherwise by now", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    declare(ownership, acme, { name: "other" });
    declare(ownership, globex, { name: "globex", adopts: 5 });
    declare(ownership, globex, { name: "globex", adopts: 6 });
    expect(next(ownership)).toBeUndefined();
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
  const takeOver = (ownership: Ownership) => ownership.takeOver(globex, { id: 5, integrationId: 101 });
  const archivedByAcme = { other: acme, isArchiving: true };

  test("stands against a take-over while it lasts, also if it fails", async () => {
    const ownership = createOwnership(ownClaims());
    expect(await ownership.duringArchive(acme, 5, async () => takeOver(ownership))).toEqual(archivedByAcme);
    const failing = ownership.duringArchive(acme, 5, async () => Promise.reject(new Error("refused")));
    expect(takeOver(ownership)).toEqual(archivedByAcme);
    expect(ownership.holdersOf(5)).toEqual([]);
    await expect(failing).rejects.toThrow("refused");
    expect(takeOver(ownership)).toBeUndefined();
    expect(ownership.holdersOf(5)).toEqual([globex]);
  });

  test("is known to other processes, and so is its end, what starts anew, and what is gone", async () => {
    using here = claimsFolder();
    const [one, other] = [createOwnership(here.open()), createOwnership(here.open())];
    const seen = () => [takeOver(other), other.isReplacedBeforeDelete(acme), other.wasFoundGone(5)];
    const { promise, resolve } = Promise.withResolvers<void>();
    declare(one, acme, { hasState: true });
    const archiving = one.duringArchive(acme, 5, () => promise);
    await otherWork();
    expect(seen()).toEqual([archivedByAcme, true, false]);
    resolve();
    await archiving;
    one.startAnew(acme);
    one.findGone(5);
    await otherWork();
    expect(seen()).toEqual([undefined, false, true]);
  });
});

describe("a take-over", () => {
  const tenant = { id: 5, integrationId: 101, name: "acme" };

  test("makes the owner hold the tenant, and is known after a release", () => {
    const ownership = createOwnership(ownClaims());
    expect(ownership.takeOver(acme, tenant)).toBeUndefined();
    expect([ownership.holdersOf(5), ownership.nextOwnerOf(globex, tenant)]).toEqual([[acme], acme]);
    ownership.release(acme, 5);
    expect([ownership.holdersOf(5), ownership.nextOwnerOf(globex, tenant)]).toEqual([[], acme]);
    expect(ownership.nextOwnerOf(acme, tenant)).toBe(acme);
  });

  test("does not begin if another declared owner has the tenant", () => {
    const ownership = createOwnership(ownClaims());
    ownership.hold(globex, 5);
    declare(ownership, globex);
    expect(ownership.takeOver(acme, tenant)).toEqual({ other: globex, isArchiving: false });
    ownership.release(globex, 5);
    expect(ownership.nextOwnerOf(globex, tenant)).toBeUndefined();
  });

  test("ends if another owner claims the tenant at the same moment", () => {
    const claims = ownClaims();
    const define: Claims["define"] = (kind, schema, apply) =>
      claims.define(kind, schema, (by, ...values) => {
        apply(by, ...values);
        if (kind === "take") claimFirst();
      });
    const ownership = createOwnership({ ...claims, define });
    const claimFirst = () => {
      ownership.hold(globex, 5);
      declare(ownership, globex);
    };
    expect(ownership.takeOver(acme, tenant)).toEqual({ other: globex, isArchiving: false });
    expect(ownership.holdersOf(5)).toEqual([globex]);
  });
});

test("an owner that starts anew still declares its name", () => {
  const ownership = createOwnership(ownClaims());
  declare(ownership, acme, { hasState: true });
  declare(ownership, globex, { hasState: true });
  ownership.startAnew(acme);
  expect(ownership.sameNameAs(globex)).toBe(acme);
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
  const about = (ownership: Ownership, id: number) => [ownership.isReplaced(acme, id), ownership.isKept(acme, id)];

  test("says from the owner's first check on which tenant it keeps, and which one it replaces", () => {
    const ownership = createOwnership(ownClaims());
    for (const id of [5, 6]) ownership.hold(acme, id);
    ownership.noteDiff(acme, { id: 6, isReplaced: false });
    expect([5, 6, 7].map((id) => about(ownership, id))).toEqual([
      [true, false],
      [true, false],
      [false, false], // which it does not hold
    ]);
    declare(ownership, acme, { hasState: true });
    ownership.noteDiff(acme, { id: 5, isReplaced: true });
    expect([5, 6].map((id) => about(ownership, id))).toEqual([
      [true, false],
      [false, false],
    ]);
    ownership.noteDiff(acme, { id: 5, isReplaced: false });
    ownership.noteDiff(acme, { id: 6, isReplaced: false });
    expect([5, 6].map((id) => about(ownership, id))).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test("keeps nothing of an owner that was ever checked as a new one", () => {
    const ownership = createOwnership(ownClaims());
    declare(ownership, acme);
    declare(ownership, acme, { hasState: true });
    ownership.noteDiff(acme, { id: 5, isReplaced: false });
    expect(ownership.isKept(acme, 5)).toBe(false);
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
    expect(() => refusing.refuseSecondOwner(second, 5, ["plan"])).toThrow(/both have plan/);
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

  test("of another process refuse a second owner", async () => {
    using here = claimsFolder();
    const [one, other] = [metadataOf(here.open()), metadataOf(here.open())];
    declare(one.ownership, acme);
    one.metadata.hold(acme, 5, ["plan"]);
    await otherWork();
    expect(() => other.metadata.refuseSecondOwner("TenantMetadata of-acme", 5, ["seats"])).toThrow("declared twice");
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
    const check = () => metadata.refuseSecondOwner(owner, 5, keys);
    expect(check).not.toThrow(); // nothing declares the holder
    declare(ownership, holder);
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(refusal);
    expect(() => metadata.refuseSecondOwner(owner, 6, keys)).not.toThrow();
  });
});
