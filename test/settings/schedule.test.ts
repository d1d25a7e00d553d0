import { describe, expect, test } from "vitest";
import { type Tenant, tenantSchema } from "../../src/api/tenant-schema.ts";
import { noSchema } from "../../src/json-schema/index.ts";
import { noSecrets } from "../../src/secrets/secret-table.ts";
import { schedule } from "../../src/settings/schedule.ts";
import { withPair } from "../../src/settings/shown-as.ts";
import { noReleases } from "./no-releases.ts";

const schemas = { configs: noSchema, metadata: noSchema };

function tenantWith(user_schedule: string | null | undefined): Tenant {
  return tenantSchema.parse({ id: 1, name: "acme", ...(user_schedule !== undefined && { user_schedule }) });
}

describe("the observed schedule", () => {
  test.each<
    [string, { live: string | null | undefined; declared: string; lastKnown?: string; seen: string | undefined }]
  >([
    [
      "is the declared one if they differ only in white space",
      { live: "0  5 * * *", declared: " 0 5 * *\t* ", seen: " 0 5 * *\t* " },
    ],
    [
      "is the declared one if they differ only in case",
      { live: "0 5 * * MON", declared: "0 5 * * mon", seen: "0 5 * * mon" },
    ],
    ["is the live one if they differ", { live: "0 6 * * *", declared: "0 5 * * *", seen: "0 6 * * *" }],
    [
      "is the declared one if both have the same minutes",
      { live: "0 0,6,12,18 * * * UTC", declared: "0 */6 * * *", seen: "0 */6 * * *" },
    ],
    [
      "is the declared one where the platform is known to show it so",
      { live: "17 5 * * *", declared: "0 5 * * *", seen: "0 5 * * *" },
    ],
    [
      "is the live one where the platform is known to show another one so",
      { live: "17 5 * * *", declared: "1 5 * * *", seen: "17 5 * * *" },
    ],
    ["is the live one if digits are joined", { live: "05 * * * *", declared: "0 5 * * *", seen: "05 * * * *" }],
    ["is none if the platform sends null", { live: null, declared: "0 5 * * *", seen: "none" }],
    ["is none if the platform sends an empty one", { live: "", declared: "0 5 * * *", seen: "none" }],
    ["is none if the platform sends a blank one", { live: "  ", declared: "none", seen: "none" }],
    [
      "is the last known one if the platform sends none",
      { live: undefined, declared: "0 5 * * *", lastKnown: "0 4 * * *", seen: "0 4 * * *" },
    ],
    ["is unknown if the platform never sent one", { live: undefined, declared: "0 5 * * *", seen: undefined }],
  ])("%s", (_, { live, declared, lastKnown, seen }) => {
    const observed = { tenant: tenantWith(live), metadata: {} };
    const shownAs = withPair({}, ["schedule"], "0 5 * * *", "17 5 * * *");
    const rest = { schemas, unreadable: [], platform: {}, shownAs, releases: noReleases, secrets: noSecrets };
    expect(schedule.observe({ declared, lastKnown, observed, ...rest })).toBe(seen);
  });

  test("cannot be compared if the platform omits the field", () => {
    expect(schedule.absentField?.("none", tenantWith(undefined))).toBe("user_schedule");
    expect(schedule.absentField?.("none", tenantWith(null))).toBeUndefined();
    expect(schedule.absentField?.("none", tenantWith("0 5 * * *"))).toBeUndefined();
  });
});

test("two declared schedules are the same if they have the same minutes", () => {
  expect(schedule.areEquivalent?.("0 5 * * MON", " 0  5 * * 1", schemas)).toBe(true);
  expect(schedule.areEquivalent?.("0 5 * * *", "0 6 * * *", schemas)).toBe(false);
});

test("a tenant without a schedule is created without the field, and updated with null", () => {
  expect(schedule.createFields?.("none")).toBeUndefined();
  expect(schedule.createFields?.("0 5 * * *")).toEqual({ user_schedule: "0 5 * * *" });
  expect(written("none")).toEqual({ user_schedule: null });
  expect(written("0 5 * * *")).toEqual({ user_schedule: "0 5 * * *" });
});

function written(declared: string) {
  if (schedule.write.endpoint !== "tenant") throw new Error("a schedule is a field of the tenant");
  const observed = { tenant: tenantWith(null), metadata: {} };
  const change = {
    declared,
    resolved: declared,
    removed: [],
    removal: "leave out" as const,
    patch: undefined,
    unseen: [],
    shownAs: {},
    secrets: noSecrets,
  };
  return schedule.write.fields({ ...change, observed, schemas });
}

describe("a live tenant is like a created one", () => {
  test.each<[string, { live: string | null | undefined; declared: string | undefined; paths: string[][] }]>([
    ["with the declared schedule", { live: "0 5 * * *", declared: "0 5 * * *", paths: [] }],
    ["not with another one", { live: "0 6 * * *", declared: "0 5 * * *", paths: [[]] }],
    ["not without the declared one", { live: null, declared: "0 5 * * *", paths: [[]] }],
    ["with any schedule, if none is declared", { live: "0 6 * * *", declared: undefined, paths: [] }],
    [
      "with the integration's schedule, which a creation cannot clear",
      { live: "0 6 * * *", declared: "none", paths: [] },
    ],
    ["where the platform sends no schedule", { live: undefined, declared: "0 5 * * *", paths: [] }],
  ])("%s", (_, { live, declared, paths }) => {
    const observed = { tenant: tenantWith(live), metadata: {} };
    const pending = { declared, seen: live ?? "none", removed: [], observed, schemas };
    expect(schedule.unlikeCreated?.(pending)).toEqual(paths);
  });
});

describe("an exported schedule", () => {
  test.each<[string | null | undefined, string | undefined]>([
    ["0 5 * * *", "0 5 * * *"],
    [null, "none"],
    ["", "none"],
    [" ", "none"],
    [undefined, undefined],
  ])("of %j", async (live, value) => {
    const observed = { tenant: tenantWith(live), metadata: {} };
    expect(await schedule.export({ observed, schemas, releases: noReleases })).toEqual({ value, leftOut: [] });
  });
});

test("none is a valid schedule, other words are not", () => {
  expect(schedule.problemOf?.("none")).toBeUndefined();
  expect(schedule.problemOf?.("0 5 * * *")).toBeUndefined();
  expect(schedule.problemOf?.("None")).toMatch(/^has 1 field/);
});
