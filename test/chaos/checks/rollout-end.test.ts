import { describe, expect, test } from "vitest";
import { notRestored } from "./restored.ts";
import { hasRolloutFailed, isOnlyRolloutChanged } from "./rollout-end.ts";

describe("the end of an override", () => {
  const before = new Map([
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ]);

  test("restores a tenant that runs again, and one that was paused before; archived and new ones do not count", () => {
    const after = new Map([
      [1, false],
      [3, true],
      [5, true],
    ]);
    expect(notRestored(before, after, () => false)).toEqual([]);
  });

  test("has not restored one that stays paused, unless that is excused, nor one that runs and did not before", () => {
    const after = new Map([
      [1, true],
      [2, true],
      [3, false],
      [4, true],
    ]);
    expect(notRestored(before, after, (id) => id === 2)).toEqual([
      "the override has ended, and tenant 1 is paused: it was not before",
      "the override has ended, and tenant 3 is running: it was not before",
    ]);
  });
});

test("the error of a rollout that fails is not the status of one that has failed before", () => {
  const title = 'rollout of fleet "rolling" to v1.1.0';
  expect(hasRolloutFailed(`    error: ${title} has failed, wave canary: 1 tenant failed`)).toBe(true);
  expect(hasRolloutFailed(`    warning: ${title}: failed in wave canary: 1 tenant failed`)).toBe(false);
});

describe("a preview", () => {
  const preview = (rows: readonly string[], counts: readonly string[]) =>
    ["Previewing update (test):", ...rows, "Resources:", ...counts, "    40 unchanged", ""].join("\n");
  const dynamic = " ~  pulumi-nodejs:dynamic/integration-platform:FleetRollout rolling update [diff: ~waves]";
  const native = " ~  integration-platform:index:FleetRollout rolling update ";
  const tenant = " ~  integration-platform:index:Tenant own-s1 update [diff: ~configs]";

  test.each([dynamic, native])("shows that only the rollout changes: %s", (row) => {
    expect(isOnlyRolloutChanged(preview([row], ["    ~ 1 to update"]))).toBe(true);
  });

  test("shows that something else changes", () => {
    expect(isOnlyRolloutChanged(preview([native, tenant], ["    ~ 2 to update"]))).toBe(false);
    expect(isOnlyRolloutChanged(preview([tenant], ["    ~ 1 to update"]))).toBe(false);
    for (const count of ["    + 1 to create", "    - 2 to delete", "    +-1 to replace"])
      expect(isOnlyRolloutChanged(preview([native], ["    ~ 1 to update", count]))).toBe(false);
  });
});
