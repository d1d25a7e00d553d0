import { describe, expect, test } from "vitest";
import { tenantSchema } from "../../../src/api/tenant-schema.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { noSchema } from "../../../src/json-schema/index.ts";
import {
  areKeysAsDeclared,
  compare,
  keptHistory,
  settingsToStore,
  unseenRemovals,
  warnOfAbsentFields,
} from "../../../src/resources/tenant/comparison.ts";
import type { Desired } from "../../../src/resources/tenant/desired.ts";
import { noHistory, type ObservedTenant } from "../../../src/resources/tenant/observed-tenant.ts";
import { tombstone } from "../../../src/secrets/placeholders.ts";
import { noSecrets } from "../../../src/secrets/secret-table.ts";
import type { SettingPath } from "../../../src/settings/reveal.ts";
import { withPair } from "../../../src/settings/shown-as.ts";
import type { SomeSettings } from "../../../src/settings/table.ts";

const schemas = { configs: noSchema, metadata: noSchema };

function desired(settings: Omit<SomeSettings, "release">, removed: Desired["removed"] = {}): Desired {
  return { settings, resolved: settings, removed, schemas, secrets: noSecrets, secretPaths: [] };
}

/** A tenant with these live configs and metadata. */
function tenantWith(configs: JsonObject, metadata: JsonObject = {}, history: object = {}): ObservedTenant {
  const tenant = tenantSchema.parse({ id: 5, name: "acme", integration_id: 1, archived: false, paused: true, configs });
  // the comparisons of keys look at no integration
  const integration = Object() as ObservedTenant["integration"];
  return { integration, id: 5, tenant, metadata, isRead: true, history: { ...noHistory, ...history } };
}

test.each<[SomeSettings, JsonObject, JsonObject, boolean]>([
  [{}, { region: "eu" }, { plan: "gold" }, true],
  [{ configs: {} }, { region: "eu" }, {}, true],
  [{ configs: { region: "eu", limits: { day: 1 } } }, { region: "eu", limits: { day: 1 }, other: 1 }, {}, true],
  [{ configs: { region: "eu", size: 1 } }, { region: "eu", size: 2 }, {}, false],
  [{ configs: { region: "eu", size: 1 } }, { region: "eu" }, {}, false],
  [{ configs: { region: "eu" }, metadata: { plan: "gold" } }, { region: "eu" }, { plan: "tin" }, false],
  [{ configs: { region: "eu" }, metadata: { plan: "gold" } }, { region: "us" }, { plan: "gold" }, false],
  [{ metadata: { plan: "gold" } }, { region: "us" }, { plan: "gold" }, true],
])("the keys of %j are in %j and %j: %j", (settings, configs, metadata, expected) => {
  expect(areKeysAsDeclared(settings, tenantWith(configs, metadata))).toBe(expected);
});

test("a pending change is named by its setting, and in one with keys by its key", async () => {
  const declared = { schedule: "0 * * * *", paused: true, configs: { region: "eu", size: 1 } };
  const { pending } = await compare(desired(declared), tenantWith({ region: "us", size: 1 }));
  expect(pending.toSorted()).toEqual([["configs", "region"], ["schedule"]]);
});

describe("removals that no read shows", () => {
  const login = { user: "ada", pin: "1234" };
  const pin = ["configs", "login", "pin"];

  test.each<[string, SettingPath[], { known: JsonObject; now: JsonObject; live: JsonObject }, SettingPath[]]>([
    [
      "a part of a value that is hidden as a whole",
      [["configs", "login"]],
      { known: { login }, now: { login: { user: "ada" } }, live: {} },
      [pin],
    ],
    [
      "the same with a mask in its place",
      [["configs", "login"]],
      { known: { login }, now: { login: { user: "ada" } }, live: { login: "***" } },
      [pin],
    ],
    ["a hidden part", [pin], { known: { login }, now: { login: { user: "ada" } }, live: {} }, [pin]],
    [
      "a hidden part whose mask is in the read",
      [pin],
      { known: { login }, now: { login: { user: "ada" } }, live: { login: { user: "ada", pin: "***" } } },
      [],
    ],
    [
      "a hidden part that is in the read in another form",
      [pin],
      { known: { login }, now: { login: { user: "ada" } }, live: { login: { user: "ada", pin: "9f86" } } },
      [],
    ],
    [
      "nothing of an object that becomes a string",
      [["configs", "login"]],
      { known: { login }, now: { login: "ada" }, live: {} },
      [],
    ],
    ["nothing where no value is known", [pin], { known: {}, now: { login: { user: "ada" } }, live: {} }, []],
    ["a key", [["configs", "token"]], { known: { token: "t" }, now: {}, live: {} }, [["configs", "token"]]],
    [
      "a key that is in the read in another form",
      [["configs", "token"]],
      { known: { token: "t" }, now: {}, live: { token: "9f86" } },
      [],
    ],
    ["a key that nobody knows", [["configs", "token"]], { known: {}, now: {}, live: {} }, []],
    ["nothing of other settings", [["metadata", "token"]], { known: { token: "t" }, now: {}, live: {} }, []],
  ])("are %s", (_, unreadablePaths, { known, now, live }, expected) => {
    const removed = { configs: Object.keys(known).filter((key) => !Object.hasOwn(now, key)) };
    const history = { unreadablePaths, lastKnown: { configs: known } };
    expect(unseenRemovals(desired({ configs: now }, removed), tenantWith(live, {}, history))).toEqual(expected);
  });

  test("are none of keys that the program has not removed", () => {
    const history = { unreadablePaths: [["configs", "token"]], lastKnown: { configs: { token: "t" } } };
    expect(unseenRemovals(desired({}), tenantWith({}, {}, history))).toEqual([]);
  });
});

describe("what is stored of a tenant that could not be applied as a whole", () => {
  const old = { ref: "env:OLD" };
  const both = { region: "eu", size: 1 };

  test.each<[string, JsonObject, JsonObject, object, JsonObject]>([
    ["has what reads show", both, { region: "us", other: 1 }, {}, { region: "us" }],
    [
      "has a tombstone for what was sent and no read shows",
      both,
      { region: "us" },
      { before: { configs: "nothing" } },
      { region: "us", size: tombstone },
    ],
    [
      "has one too for what was sent with the new tenant",
      both,
      { region: "us" },
      { isNew: true, before: { configs: "nothing" }, lastKnown: { configs: both } },
      { region: "us", size: tombstone },
    ],
    ["has none if the new tenant was created without it", both, { region: "us" }, { isNew: true }, { region: "us" }],
    [
      "has the former reference in place of what may be its value",
      { a: "new" },
      { a: "x" },
      { stored: { configs: { a: old } } },
      { a: { ...old, differs: true } },
    ],
    [
      "has the declared value that reads show",
      { a: "new" },
      { a: "new" },
      { stored: { configs: { a: old } } },
      { a: "new" },
    ],
    [
      "has the parts beside a reference that is declared as before",
      { a: { token: old, day: 1 } },
      { a: { token: "x", day: 2 } },
      { stored: { configs: { a: { token: old } } } },
      { a: { token: { ...old, differs: true }, day: 2 } },
    ],
  ])("%s", async (_, configs, live, history, stored) => {
    const { settings } = await settingsToStore(desired({ configs }), { tenant: tenantWith(live, {}, history) });
    expect(settings).toEqual({ configs: stored });
  });
});

describe("what is stored of the platform's own forms", () => {
  const declared = { schedule: "0 5 * * *", configs: { region: " eu", limits: { day: 1 }, auth: { pin: "1234" } } };
  const configs = { region: "eu", limits: { day: "1" }, auth: { pin: "***" } };

  test.each<[string, SettingPath, SettingPath[], boolean]>([
    ["is that of a setting", ["schedule"], [], true],
    ["is that of a key", ["configs", "region"], [], true],
    ["is that of a part of a key", ["configs", "limits", "day"], [], true],
    ["is not that of a key that is no longer declared", ["configs", "old"], [], false],
    ["is not that of a setting that is no longer declared", ["metadata", "region"], [], false],
    ["is not that of a secret", ["configs", "region"], [["configs", "region"]], false],
    ["is not that of a part of a secret", ["configs", "limits", "day"], [["configs", "limits"]], false],
    ["is not that of a value with a secret", ["configs", "limits"], [["configs", "limits", "day"]], false],
    ["is not that of a secret that reads hide", ["configs", "auth", "pin"], [], false],
  ])("%s", (_, path, secretPaths, isKept) => {
    const shownAs = withPair({}, path, "declared", "shown");
    const hidden = { unreadablePaths: [["configs", "auth", "pin"]], lastKnown: declared };
    const tenant = tenantWith(configs, {}, { shownAs, ...hidden });
    expect(keptHistory({ ...desired(declared), secretPaths }, tenant).shownAs).toEqual(isKept ? shownAs : undefined);
  });
});

test("a field that the platform omits causes a warning, if the setting is declared", () => {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const { tenant } = tenantWith({});
  warnOfAbsentFields({ warn }, {}, tenant);
  expect(warnings).toEqual([]);
  warnOfAbsentFields({ warn }, { schedule: "0 * * * *" }, tenant);
  expect(warnings).toEqual([
    "the platform omits user_schedule in tenants, so a declared schedule cannot be compared. Its last written value is " +
      "assumed, and changes made outside of Pulumi are not detected",
  ]);
});
