import { describe, expect, test } from "vitest";
import { z } from "zod";
import { replay } from "../../bench/journal/replay.ts";
import { type Deployment, entryKinds, journalEntrySchema } from "../../bench/journal/schemas.ts";

interface UnnumberedEntry {
  readonly kind: keyof typeof entryKinds;
  readonly [field: string]: unknown;
}

/** Entries of one update, as the engine sends them: numbered in their order. */
function journal(...entries: readonly UnnumberedEntry[]) {
  const numbered = entries.map(({ kind, ...entry }, index) => {
    return { version: 1, kind: entryKinds[kind], operationID: 0, sequenceID: index + 1, ...entry };
  });
  return z.array(journalEntrySchema).parse(JSON.parse(JSON.stringify(numbered)));
}

const resource = (urn: string, more: object = {}) => ({ urn, ...more });
const creating = (urn: string) => ({ type: "creating", resource: resource(urn) });

/** What a deployment has: each resource with its other fields, then the pending operations. */
function contents({ resources = [], pending_operations: pending = [] }: Deployment): unknown[] {
  return [...resources, ...pending.map(({ type, resource: { urn } }) => `${type} ${urn}`)];
}

const base: Deployment = { resources: [resource("a", { id: "1" }), resource("b", { id: "2" }), resource("c")] };

describe("the replay of a journal", () => {
  test("puts the resources of the update before those that it has not reached", () => {
    const entries = journal(
      { kind: "begin", operationID: 1, operation: creating("d") },
      { kind: "begin", operationID: 2 },
      { kind: "success", operationID: 2, state: resource("b", { id: "2", inputs: { plan: "gold" } }), removeOld: 1 },
      { kind: "success", operationID: 1, state: resource("d", { id: "4" }) },
    );
    expect(contents(replay(base, entries))).toEqual([
      resource("b", { id: "2", inputs: { plan: "gold" } }),
      resource("d", { id: "4" }),
      resource("a", { id: "1" }),
      resource("c"),
    ]);
  });

  test("leaves an operation pending that has begun and not ended", () => {
    const entries = journal(
      { kind: "begin", operationID: 1, operation: creating("d") },
      { kind: "begin", operationID: 2, operation: creating("e") },
      { kind: "begin", operationID: 3 }, // the engine sends no operation for a resource that stays the same
      { kind: "success", operationID: 1, state: resource("d") },
    );
    expect(contents(replay({}, entries))).toEqual([resource("d"), "creating e"]);
  });

  test("keeps a pending creation of an earlier update, and no other pending operation of it", () => {
    const earlier = [creating("d"), { type: "updating", resource: resource("a") }];
    const entries = journal({ kind: "secretsManager", secretsProvider: { type: "passphrase", state: { salt: "s" } } });
    const after = replay({ ...base, pending_operations: earlier }, entries);
    expect(contents(after)).toEqual([...contents(base), "creating d"]);
    expect(after.secrets_providers).toEqual({ type: "passphrase", state: { salt: "s" } });
  });

  test("keeps the resource of an operation that failed", () => {
    const entries = journal(
      { kind: "begin", operationID: 1, operation: { type: "updating", resource: resource("a") } },
      { kind: "failure", operationID: 1, state: resource("a", { id: "other" }), removeOld: 0 },
    );
    expect(contents(replay(base, entries))).toEqual(contents(base));
  });

  test("removes a resource of the base, and one of the update", () => {
    const entries = journal(
      { kind: "success", operationID: 1, state: resource("d") },
      { kind: "success", operationID: 2, removeOld: 0 },
      { kind: "success", operationID: 3, removeNew: 1 },
    );
    expect(contents(replay(base, entries))).toEqual([resource("b", { id: "2" }), resource("c")]);
  });

  test("marks the old resource of a replacement until it is deleted", () => {
    const [created, deleted] = journal(
      { kind: "success", operationID: 1, state: resource("a", { id: "9" }), deleteOld: 0 },
      { kind: "success", operationID: 2, removeOld: 0 },
    );
    if (created === undefined || deleted === undefined) throw new Error("two entries were made");
    const [kept, ...others] = [resource("a", { id: "9" }), resource("b", { id: "2" }), resource("c")];
    expect(contents(replay(base, [created]))).toEqual([kept, resource("a", { id: "1", delete: true }), ...others]);
    expect(contents(replay(base, [created, deleted]))).toEqual([kept, ...others]);
  });

  test("marks a resource that is deleted before its replacement", () => {
    const entries = journal({ kind: "success", operationID: 1, pendingReplacementOld: 1 });
    expect(contents(replay(base, entries))[1]).toEqual(resource("b", { id: "2", pendingReplacement: true }));
  });

  test("takes outputs that are registered later, in the resource's place", () => {
    const entries = journal(
      { kind: "success", operationID: 1, state: resource("stack"), removeOld: 2 },
      { kind: "success", operationID: 2, state: resource("d") },
      { kind: "outputs", operationID: 3, state: resource("stack", { outputs: { url: "u" } }), removeNew: 1 },
    );
    expect(contents(replay(base, entries)).slice(0, 2)).toEqual([
      resource("stack", { outputs: { url: "u" } }),
      resource("d"),
    ]);
  });

  test("starts from the state that the engine writes first", () => {
    const entries = journal(
      { kind: "write", newSnapshot: { resources: [resource("x"), resource("y")] } },
      { kind: "success", operationID: 1, removeOld: 0 },
    );
    expect(contents(replay(base, entries))).toEqual([resource("y")]);
  });

  test("applies what a refresh has read, and drops references to what is gone", () => {
    const dependent = resource("c", {
      parent: "a",
      deletedWith: "a",
      dependencies: ["a", "b"],
      propertyDependencies: { left: ["a"], right: ["b"] },
    });
    const [a, b] = base.resources ?? [];
    if (a === undefined || b === undefined) throw new Error("the base has both");
    const entries = journal(
      { kind: "begin", operationID: 1 },
      { kind: "refreshSuccess", operationID: 1, isRefresh: true, removeOld: 0 },
      {
        kind: "refreshSuccess",
        operationID: 2,
        isRefresh: true,
        removeOld: 1,
        state: resource("b", { outputs: { n: 1 } }),
      },
      { kind: "rebuiltBaseState" },
      // the indices are those of the rebuilt state: b, c
      { kind: "success", operationID: 3, state: resource("b", { outputs: { n: 2 } }), removeOld: 0 },
    );
    expect(contents(replay({ resources: [a, b, dependent] }, entries))).toEqual([
      resource("b", { outputs: { n: 2 } }),
      resource("c", { dependencies: ["b"], propertyDependencies: { right: ["b"] } }),
    ]);
  });

  test("gives the same for entries that came twice or in another order", () => {
    const entries = journal(
      { kind: "begin", operationID: 1, operation: creating("d") },
      { kind: "success", operationID: 1, state: resource("d") },
      { kind: "success", operationID: 2, state: resource("e"), removeOld: 0 },
      { kind: "success", operationID: 3, removeNew: 1 },
    );
    const expected = replay(base, entries);
    expect(contents(expected)).toEqual([resource("e"), resource("b", { id: "2" }), resource("c")]);
    expect(replay(base, [...entries, ...entries])).toEqual(expected);
    expect(replay(base, entries.toReversed())).toEqual(expected);
  });

  test("does not change the base", () => {
    const before = structuredClone(base);
    replay(base, journal({ kind: "success", operationID: 1, state: resource("d"), deleteOld: 0 }));
    expect(base).toEqual(before);
  });

  test("refuses entries that refer to nothing", () => {
    expect(() => replay(base, journal({ kind: "success", operationID: 1, removeOld: 3 }))).toThrow("does not exist: 3");
    expect(() => replay(base, journal({ kind: "success", operationID: 1, removeNew: 7 }))).toThrow("does not exist: 7");
  });

  test.each([
    ["another version", { kind: 0, version: 2, sequenceID: 1, operationID: 1 }],
    ["another kind", { kind: 9, version: 1, sequenceID: 1, operationID: 1 }],
    ["aliases", { kind: 1, version: 1, sequenceID: 1, operationID: 1, state: { urn: "a", aliases: ["formerly-a"] } }],
  ])("refuses an entry with %s", (_, entry) => {
    expect(journalEntrySchema.safeParse(entry).success).toBe(false);
  });
});
