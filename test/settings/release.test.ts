import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient, type Tenant } from "../../src/api/index.ts";
import { tenantSchema } from "../../src/api/tenant-schema.ts";
import { createEmulator, type Emulator } from "../../src/emulator/index.ts";
import { noSchema } from "../../src/json-schema/index.ts";
import { noSecrets } from "../../src/secrets/secret-table.ts";
import {
  isOneWay,
  type ReleaseSelector,
  type ResolvedRelease,
  release,
  releaseMessage,
  releaseToRun,
  withReleaseAlone,
} from "../../src/settings/release.ts";
import { createSnapshot, type Releases, UnknownNameError } from "../../src/snapshot/index.ts";
import { noReleases } from "./no-releases.ts";

const schemas = { configs: noSchema, metadata: noSchema };

/** An integration whose default release is 1, and whose latest one is 5. */
const seed = {
  integrations: [
    {
      id: 1,
      name: "crm",
      default_release_id: 1,
      releases: [
        { id: 1, name: "one", tag: "v1" },
        { id: 2, name: "two", tag: "v2" },
        { id: 3, name: "three", tag: "twin" },
        { id: 4, name: "four", tag: "twin" },
        { id: 5, name: "five" },
      ],
    },
  ],
};

let emulator: Emulator;
let client: Client;
let releases: Releases;
beforeAll(async () => {
  emulator = await createEmulator({ seed });
  client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  releases = createSnapshot(client).releasesOf(1);
});
afterAll(async () => {
  await client.close();
  await emulator.close();
});

type Fields = Pick<Partial<Tenant>, "integration_release_id" | "integration_release_channel">;

function tenantWith(id: number | null | undefined, channel: string | null | undefined): Tenant {
  const fields: Fields = { integration_release_id: id, integration_release_channel: channel };
  return tenantSchema.parse({ id: 5001, name: "acme", ...fields });
}

describe("the form of a release", () => {
  test.each([[{ id: 1 }], [{ tag: "v1" }], [{ channel: "Latest" }], [{ channel: "Default" }]])("%j", (value) => {
    expect(release.schema.parse(value)).toEqual(value);
  });

  test.each<[unknown, string]>([
    ["latest", "must be { tag }, { channel } or { id }; write release: { channel: ... }"],
    ["Default", "must be { tag }, { channel } or { id }; write release: { channel: ... }"],
    ["latest2", "must be { tag }, { channel } or { id }; write release: { tag: ... }"],
    ["my-default", "must be { tag }, { channel } or { id }; write release: { tag: ... }"],
    [901, "must be { tag }, { channel } or { id }; write release: { id: ... }"],
    [true, "must be { tag }, { channel } or { id }"],
    [{}, "must have exactly one of id, tag and channel"],
    [{ id: 1, tag: "v1" }, "must have exactly one of id, tag and channel"],
    [{ channel: "latest" }, 'must be "Latest" or "Default"'],
    [{ channel: "NotLatest" }, 'must be "Latest" or "Default"'],
    [{ channel: "DefaultX" }, 'must be "Latest" or "Default"'],
    [{ channel: 1 }, 'must be "Latest" or "Default"'],
    [{ id: 1.5 }, "must be a whole number"],
    [{ id: 0 }, "must be a positive number"],
  ])("%j is none: %s", (value, message) => {
    expect(release.schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test("a message can name more ways", () => {
    expect(releaseMessage("{ build }").error({})).toBe("must be { tag }, { channel }, { id } or { build }");
  });

  test("exactly one way has a value", () => {
    expect(isOneWay({ id: undefined, tag: "v1" })).toBe(true);
    expect(isOneWay({ id: undefined })).toBe(false);
  });
});

describe("a declared release in the form of the API", () => {
  test.each<[ReleaseSelector, ResolvedRelease]>([
    [{ id: 2 }, { id: 2 }],
    [{ tag: "v2" }, { id: 2 }],
    [{ channel: "Latest" }, { channel: "Latest" }],
  ])("%j", async (declared, resolved) => {
    expect(await release.resolve?.(declared, releases)).toEqual(resolved);
  });

  test.each<[ReleaseSelector, RegExp]>([
    [{ id: 9 }, /no release with id 9/],
    [{ tag: "v9" }, /no release with tag "v9"/],
    [{ tag: "twin" }, /2 releases have the tag "twin"/],
    [{}, /no release with id NaN/],
  ])("%j names none", async (declared, message) => {
    const resolved = release.resolve?.(declared, releases);
    await expect(resolved).rejects.toThrow(UnknownNameError);
    await expect(resolved).rejects.toThrow(message);
  });

  test("an integration without a default needs no request", async () => {
    const integration = { default_release_channel: null, default_release_id: null };
    expect(await releaseToRun(noReleases, integration, undefined)).toBeUndefined();
  });

  test("a channel needs no request", async () => {
    expect(await release.resolve?.({ channel: "Default" }, noReleases)).toEqual({ channel: "Default" });
  });
});

describe("the observed release", () => {
  interface Case {
    id?: number | null;
    channel?: string | null;
    declared: ReleaseSelector;
    lastKnown?: ReleaseSelector;
    seen: ReleaseSelector | undefined;
  }

  test.each<[string, Case]>([
    ["is the declared id", { id: 2, channel: null, declared: { id: 2 }, seen: { id: 2 } }],
    ["is the declared tag", { id: 2, channel: null, declared: { tag: "v2" }, seen: { tag: "v2" } }],
    ["is the live id where an id is declared", { id: 1, channel: null, declared: { id: 2 }, seen: { id: 1 } }],
    ["is the live tag where a tag is declared", { id: 1, channel: null, declared: { tag: "v2" }, seen: { tag: "v1" } }],
    ["is the live id where it has no tag", { id: 5, channel: null, declared: { tag: "v2" }, seen: { id: 5 } }],
    [
      "is the live id where the declared tag is twice",
      { id: 3, channel: null, declared: { tag: "twin" }, seen: { id: 3 } },
    ],
    [
      "is the live tag where the declared one is gone",
      { id: 1, channel: null, declared: { tag: "v9" }, seen: { tag: "v1" } },
    ],
    ["is the live id where that is gone", { id: 9, channel: null, declared: { tag: "v1" }, seen: { id: 9 } }],
    [
      "is the live id where a channel is declared",
      { id: 2, channel: null, declared: { channel: "Latest" }, seen: { id: 2 } },
    ],
    [
      "is the declared channel, whatever id it selects",
      { id: 1, channel: "Latest", declared: { channel: "Latest" }, seen: { channel: "Latest" } },
    ],
    [
      "is the live channel where another is declared",
      { id: 1, channel: "Default", declared: { channel: "Latest" }, seen: { channel: "Default" } },
    ],
    [
      "is the live channel where its id is declared",
      { id: 1, channel: "Default", declared: { id: 1 }, seen: { channel: "Default" } },
    ],
    ["is the id beside a channel that nobody knows", { id: 2, channel: "Beta", declared: { id: 2 }, seen: { id: 2 } }],
    ["is the id beside an empty channel", { id: 2, channel: "", declared: { id: 2 }, seen: { id: 2 } }],
    [
      "is the last known one where the platform omits the channel that is declared",
      { id: 2, declared: { channel: "Latest" }, lastKnown: { channel: "Default" }, seen: { channel: "Default" } },
    ],
    [
      "is the last known channel where the platform omits channels",
      { id: 2, declared: { id: 2 }, lastKnown: { channel: "Latest" }, seen: { channel: "Latest" } },
    ],
    [
      "is the live id where the platform omits channels and none was known",
      { id: 1, declared: { id: 2 }, lastKnown: { id: 2 }, seen: { id: 1 } },
    ],
    [
      "is the last known one where the platform omits the id",
      { channel: null, declared: { id: 2 }, lastKnown: { id: 1 }, seen: { id: 1 } },
    ],
    [
      "is unknown where the platform omits the channel that is declared and none was known",
      { id: 2, declared: { channel: "Latest" }, seen: undefined },
    ],
    ["is unknown where the platform never sent one", { declared: { id: 2 }, seen: undefined }],
    [
      "is none where the platform says that there is none",
      { id: null, channel: null, declared: { id: 2 }, lastKnown: { id: 2 }, seen: undefined },
    ],
  ])("%s", async (_, { id, channel, declared, lastKnown, seen }) => {
    const observed = { tenant: tenantWith(id, channel), metadata: {} };
    const rest = { schemas, unreadable: [], shownAs: {}, platform: {}, releases, secrets: noSecrets };
    expect(await release.observe({ declared, lastKnown, observed, ...rest })).toEqual(seen);
  });

  test("needs no request where the declared id is the live one", async () => {
    const observed = { tenant: tenantWith(2, null), metadata: {} };
    const rest = { schemas, unreadable: [], shownAs: {}, platform: {}, secrets: noSecrets, lastKnown: undefined };
    const seen = await release.observe({ declared: { id: 2 }, observed, releases: noReleases, ...rest });
    expect(seen).toEqual({ id: 2 });
  });

  test("is not guessed if the releases cannot be listed", async () => {
    const observed = { tenant: tenantWith(2, null), metadata: {} };
    const rest = { schemas, unreadable: [], shownAs: {}, platform: {}, secrets: noSecrets, lastKnown: undefined };
    const seen = release.observe({ declared: { tag: "v1" }, observed, releases: noReleases, ...rest });
    await expect(seen).rejects.toThrow("this setting needs no releases");
  });

  test("is not guessed if the declared tag cannot be looked up", async () => {
    const observed = { tenant: tenantWith(2, null), metadata: {} };
    const rest = { schemas, unreadable: [], shownAs: {}, platform: {}, secrets: noSecrets, lastKnown: undefined };
    const withoutTags = { ...releases, byTag: noReleases.byTag };
    const seen = release.observe({ declared: { tag: "v1" }, observed, releases: withoutTags, ...rest });
    await expect(seen).rejects.toThrow("this setting needs no releases");
  });
});

describe("the field without which a release cannot be compared", () => {
  test.each<[ReleaseSelector, number | null | undefined, string | null | undefined, string | undefined]>([
    [{ channel: "Latest" }, 1, undefined, "integration_release_channel"],
    [{ channel: "Latest" }, undefined, null, undefined],
    [{ id: 1 }, undefined, undefined, "integration_release_id"],
    [{ tag: "v1" }, undefined, null, "integration_release_id"],
    [{ id: 1 }, undefined, "Beta", "integration_release_id"],
    [{ id: 1 }, undefined, "Default", undefined],
    [{ id: 1 }, null, undefined, undefined],
    [{ id: 1 }, 1, undefined, undefined],
  ])("%j, id %j, channel %j", (declared, id, channel, field) => {
    expect(release.absentField?.(declared, tenantWith(id, channel))).toBe(field);
  });
});

describe("a release is written", () => {
  const observed = { tenant: tenantWith(1, null), metadata: {} };
  const rest = {
    removed: [],
    removal: "leave out" as const,
    patch: undefined,
    unseen: [],
    shownAs: {},
    secrets: noSecrets,
    observed,
    schemas,
  };

  test.each<[ResolvedRelease | undefined, object]>([
    [undefined, {}],
    [{ id: 2 }, { integration_release_id: 2, integration_release_channel: null }],
    [{ channel: "Latest" }, { integration_release_id: null, integration_release_channel: "Latest" }],
  ])("as %j in an update, where the other field is cleared", (resolved, fields) => {
    if (release.write.endpoint !== "tenant") throw new Error("a release is a field of the tenant");
    expect(release.write.fields({ declared: undefined, resolved, ...rest })).toEqual(fields);
  });

  test("as one field in a creation", () => {
    expect(release.createFields?.({ id: 2 })).toEqual({ integration_release_id: 2 });
    expect(release.createFields?.({ channel: "Latest" })).toEqual({ integration_release_channel: "Latest" });
  });

  test.each<[object, object | undefined]>([
    [
      { name: "acme", integration_release_id: 2, integration_release_channel: null },
      { name: "acme", integration_release_id: 2 },
    ],
    [
      { name: "acme", integration_release_id: null, integration_release_channel: "Latest" },
      { name: "acme", integration_release_channel: "Latest" },
    ],
    [{ integration_release_id: 2 }, undefined],
    [{ integration_release_channel: "Latest" }, undefined],
    [{ name: "acme" }, undefined],
  ])("%j, for a platform that rejects both fields, as %j", (patch, alone) => {
    expect(withReleaseAlone(patch)).toEqual(alone);
  });
});

describe("an exported release", () => {
  const gone = { path: ["release"], reason: "is no longer among the integration's releases" };

  test.each<[string, number | null | undefined, string | null | undefined, object]>([
    ["is its channel", 1, "Default", { value: { channel: "Default" }, leftOut: [] }],
    ["is its tag", 2, null, { value: { tag: "v2" }, leftOut: [] }],
    ["is its tag beside a channel that nobody knows", 2, "Beta", { value: { tag: "v2" }, leftOut: [] }],
    ["is its id where it has no tag", 5, null, { value: { id: 5 }, note: "release 5 has no tag", leftOut: [] }],
    [
      "is its id where the tag is not unique",
      4,
      null,
      { value: { id: 4 }, note: "2 releases, including release 4, have the same tag", leftOut: [] },
    ],
    ["is left out where the platform lists it no more", 9, null, { value: undefined, leftOut: [gone] }],
    ["is nothing where the tenant has none", null, null, { value: undefined, leftOut: [] }],
    ["is nothing where the platform omits it", undefined, undefined, { value: undefined, leftOut: [] }],
  ])("%s", async (_, id, channel, exported) => {
    const observed = { tenant: tenantWith(id, channel), metadata: {} };
    expect(await release.export({ observed, schemas, releases })).toEqual(exported);
  });
});

describe("the release that a tenant is going to run", () => {
  const byChannel = { default_release_channel: "Latest", default_release_id: 2 };
  const byId = { default_release_channel: null, default_release_id: 2 };
  const none = { default_release_channel: null, default_release_id: null };

  test.each<
    [string, Parameters<typeof releaseToRun>[1], ResolvedRelease | undefined, Tenant | undefined, number | undefined]
  >([
    ["is the declared one", byId, { id: 1 }, tenantWith(5, null), 1],
    ["is the declared channel's", byId, { channel: "Default" }, tenantWith(5, null), 1],
    ["is the tenant's channel's", byId, undefined, tenantWith(1, "Latest"), 5],
    ["is the tenant's", byChannel, undefined, tenantWith(3, null), 3],
    ["is the tenant's, beside an empty channel", byChannel, undefined, tenantWith(3, ""), 3],
    ["is unknown where the tenant's is unknown", byChannel, undefined, tenantWith(undefined, undefined), undefined],
    ["is unknown where the tenant's is gone", byChannel, undefined, tenantWith(9, null), undefined],
    ["is unknown with a channel that nobody knows", byId, undefined, tenantWith(1, "Beta"), undefined],
    ["is the one of the integration's default channel, for a new tenant", byChannel, undefined, undefined, 5],
    ["is the integration's default one, for a new tenant", byId, undefined, undefined, 2],
    ["is unknown without any default, for a new tenant", none, undefined, undefined, undefined],
  ])("%s", async (_, integration, declared, tenant, id) => {
    expect((await releaseToRun(releases, integration, declared, tenant))?.id).toBe(id);
  });
});
