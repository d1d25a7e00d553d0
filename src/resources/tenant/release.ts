import type { Integration, Release, Tenant } from "../../api/index.ts";
import { type Releases, UnknownNameError } from "../../snapshot/index.ts";
import type { ReleaseSelector } from "./schema.ts";

/** A release as the API takes it: an id or a channel. */
export type ResolvedRelease = { id: number } | { channel: string };

/** The id or channel that a declared release stands for. Throws {@link UnknownNameError} where there is none. */
export async function resolveRelease(
  releases: Releases,
  { id, tag, channel }: ReleaseSelector,
): Promise<ResolvedRelease> {
  if (channel !== undefined) return { channel };
  const release = tag === undefined ? await releases.byId(id ?? Number.NaN) : await releases.byTag(tag);
  return { id: release.id };
}

/** The release whose code a tenant runs, or will run; `undefined` where that cannot be known. */
export async function releaseToRun(
  releases: Releases,
  integration: Pick<Integration, "default_release_channel" | "default_release_id">,
  declared: ResolvedRelease | undefined,
  tenant?: Tenant,
): Promise<Release | undefined> {
  if (declared !== undefined) return resolved(releases, declared);
  const channel = tenant === undefined ? integration.default_release_channel : tenant.integration_release_channel;
  if (channel) return releases.ofChannel(channel); // a platform may send "" for none
  const id = tenant === undefined ? integration.default_release_id : tenant.integration_release_id;
  return typeof id === "number" ? resolved(releases, { id }) : undefined;
}

/**
 * The tenant's release in the words of the declaration: the declared one where it is that, else what it is instead.
 * A declared channel ignores the id beside it. A field that did not come back says nothing: then it is as last known.
 */
export async function observedRelease(
  releases: Releases,
  declared: ReleaseSelector,
  lastKnown: ReleaseSelector | undefined,
  tenant: Tenant,
): Promise<ReleaseSelector | undefined> {
  const { integration_release_id: id, integration_release_channel: channel } = tenant;
  if (declared.channel !== undefined && channel === undefined) return lastKnown;
  // the id may be that of the channel which it was on, and the platform does not tell
  if (channel === undefined && lastKnown?.channel !== undefined) return lastKnown;
  if (channel === "Latest" || channel === "Default") return channel === declared.channel ? declared : { channel };
  if (id === undefined) return lastKnown;
  if (id === null) return undefined;
  if ((await idOf(releases, declared)) === id) return declared;
  const tag = declared.tag === undefined ? undefined : (await resolved(releases, { id }))?.tag;
  // a release may have an empty tag, by which nobody can declare it
  return tag && tag !== declared.tag ? { tag } : { id };
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

async function resolved(releases: Releases, release: ResolvedRelease) {
  if ("channel" in release) return releases.ofChannel(release.channel);
  return (await releases.all()).find(({ id }) => id === release.id);
}
