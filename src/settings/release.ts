import { z } from "zod";
import type { Integration, Release, Tenant, TenantPatch } from "../api/index.ts";
import { keyNouns } from "../inputs/describe-issues.ts";
import { nonEmptyString } from "../inputs/string-schema.ts";
import { type Releases, UnknownNameError } from "../snapshot/index.ts";
import type { Setting } from "./setting.ts";

const channelWords = 'must be "Latest" or "Default"';

/** What a release must be. A string or a number looks like a tag or an id without its key. */
export function releaseMessage(...more: readonly string[]) {
  const ways = ["{ tag }", "{ channel }", "{ id }", ...more];
  const error = ({ input }: { input?: unknown }) => {
    const isTag = typeof input === "string" && !/^(latest|default)$/i.test(input);
    const key = typeof input === "number" ? "id" : isTag ? "tag" : "channel";
    const isScalar = typeof input === "number" || typeof input === "string";
    return `must be ${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}${isScalar ? `; write release: { ${key}: ... }` : ""}`;
  };
  return { error };
}

/** The three ways to select a release. */
export const releaseWays = {
  /** Id of the release. */
  id: z.int("must be a whole number").positive("must be a positive number").optional(),
  /** Tag of the release. */
  tag: nonEmptyString().optional(),
  /** `"Default"` selects the integration's default release, `"Latest"` the latest one. */
  channel: z.enum(["Latest", "Default"], channelWords).optional(),
};

/** Selects a release in exactly one way. Its type allows any channel, because the state may hold an unknown one. */
const releaseSelectorSchema = z
  .strictObject(
    {
      ...releaseWays,
      channel: z
        .string(channelWords)
        .regex(/^(Latest|Default)$/, channelWords)
        .optional(),
    },
    releaseMessage(),
  )
  .refine(isOneWay, { error: "must have exactly one of id, tag and channel" })
  .register(keyNouns, { noun: "a release selector" });

export type ReleaseSelector = z.infer<typeof releaseSelectorSchema>;

/** A release in the form that the API accepts: an id or a channel. */
export type ResolvedRelease = { id: number } | { channel: string };

/** The release that a tenant runs (specification, Tenant: `integration_release_id`, `integration_release_channel`). */
export const release: Setting<ReleaseSelector, ResolvedRelease> = {
  schema: releaseSelectorSchema,
  storedSchema: z.object({ id: z.number().optional(), tag: z.string().optional(), channel: z.string().optional() }),
  kind: "value",
  triggersSync: true,
  resolve: async ({ id, tag, channel }, releases) => {
    if (channel !== undefined) return { channel };
    const release = tag === undefined ? await releases.byId(id ?? Number.NaN) : await releases.byTag(tag);
    return { id: release.id };
  },
  live: ({ tenant }) => tenant.integration_release_id,
  observe: ({ declared, lastKnown, observed, releases }) =>
    observedRelease(releases, declared, lastKnown, observed.tenant),
  absentField: ({ channel: declared }, { integration_release_id: id, integration_release_channel: channel }) => {
    if (declared !== undefined) return channel === undefined ? "integration_release_channel" : undefined;
    return id === undefined && !isKnownChannel(channel) ? "integration_release_id" : undefined;
  },
  createFields: (release) =>
    "id" in release ? { integration_release_id: release.id } : { integration_release_channel: release.channel },
  write: {
    endpoint: "tenant",
    fields: ({ resolved }) => {
      if (resolved === undefined) return {};
      return "id" in resolved
        ? { integration_release_id: resolved.id, integration_release_channel: null }
        : { integration_release_id: null, integration_release_channel: resolved.channel };
    },
  },
  export: async ({ observed: { tenant }, releases }) => {
    const { integration_release_id: id, integration_release_channel: channel } = tenant;
    if (isKnownChannel(channel)) return { value: { channel }, leftOut: [] };
    if (typeof id !== "number") return { value: undefined, leftOut: [] };
    const release = await releaseOf(releases, { id });
    if (release !== undefined) return { ...(await selectorOf(releases, release)), leftOut: [] };
    const reason = "is no longer among the integration's releases";
    return { value: undefined, leftOut: [{ path: ["release"], reason }] };
  },
};

export function isOneWay(release: object): boolean {
  return Object.values(release).filter((way) => way !== undefined).length === 1;
}

/**
 * The PATCH without the null that clears the other release field: some platforms reject a PATCH that has both fields.
 * `undefined` if the PATCH does not have both.
 */
export function withReleaseAlone(patch: TenantPatch): TenantPatch | undefined {
  const { integration_release_id: id, integration_release_channel: channel, ...rest } = patch;
  if (id === undefined || channel === undefined) return undefined;
  return { ...rest, ...(id === null ? { integration_release_channel: channel } : { integration_release_id: id }) };
}

/** The release that a tenant runs or is going to run; `undefined` if unknown. */
export async function releaseToRun(
  releases: Releases,
  integration: Pick<Integration, "default_release_channel" | "default_release_id">,
  declared: ResolvedRelease | undefined,
  tenant?: Tenant,
): Promise<Release | undefined> {
  if (declared !== undefined) return releaseOf(releases, declared);
  const channel = tenant === undefined ? integration.default_release_channel : tenant.integration_release_channel;
  if (channel) return releases.ofChannel(channel); // a platform may send "" for no channel
  const id = tenant === undefined ? integration.default_release_id : tenant.integration_release_id;
  return typeof id === "number" ? releaseOf(releases, { id }) : undefined;
}

/**
 * The tenant's release: the declared selector if it matches, otherwise a selector for the live release. If a channel is
 * declared, the id that the platform also sends is ignored. If the platform omits a field, the last known release is used.
 */
async function observedRelease(
  releases: Releases,
  declared: ReleaseSelector,
  lastKnown: ReleaseSelector | undefined,
  { integration_release_id: id, integration_release_channel: channel }: Tenant,
): Promise<ReleaseSelector | undefined> {
  if (declared.channel !== undefined && channel === undefined) return lastKnown;
  // the platform omits the channel, and the id may be the one that the tenant's channel selects
  if (channel === undefined && lastKnown?.channel !== undefined) return lastKnown;
  if (isKnownChannel(channel)) return channel === declared.channel ? declared : { channel };
  if (id === undefined) return lastKnown;
  if (id === null) return undefined;
  if ((await idOf(releases, declared)) === id) return declared;
  const tag = declared.tag === undefined ? undefined : (await releaseOf(releases, { id }))?.tag;
  // a release may have an empty tag, which cannot be declared
  return tag && tag !== declared.tag ? { tag } : { id };
}

function isKnownChannel(channel: string | null | undefined): channel is "Latest" | "Default" {
  return channel === "Latest" || channel === "Default";
}

/** The tag of a release if it selects this release alone; else its id, and a note why. */
async function selectorOf(
  releases: Releases,
  { id, tag }: Release,
): Promise<{ value: ReleaseSelector; note?: string }> {
  // a platform may send "" for no tag
  if (!tag) return { value: { id }, note: `release ${id} has no tag` };
  const namesakes = (await releases.all()).filter((other) => other.tag === tag);
  if (namesakes.length === 1) return { value: { tag } };
  return { value: { id }, note: `${namesakes.length} releases, including release ${id}, have the same tag` };
}

async function idOf(releases: Releases, declared: ReleaseSelector) {
  if (declared.tag === undefined) return declared.id;
  try {
    return (await releases.byTag(declared.tag)).id;
  } catch (error) {
    if (error instanceof UnknownNameError) return undefined;
    throw error;
  }
}

async function releaseOf(releases: Releases, release: ResolvedRelease) {
  if ("channel" in release) return releases.ofChannel(release.channel);
  return (await releases.all()).find(({ id }) => id === release.id);
}
