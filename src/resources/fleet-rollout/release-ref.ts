import { z } from "zod";
import type { Tenant } from "../../api/index.ts";
import type { ResolvedRelease } from "../../settings/release.ts";
import { readIds, writeIds } from "./ids.ts";

/**
 * What a tenant runs, as a string: the id of a release such as `"501"`, or a channel such as `"Latest"` (specification,
 * Tenant: `integration_release_id`, `integration_release_channel`).
 */
export type ReleaseRef = string;

/**
 * What many tenants run. Most of them run `most`, and `others` has the ids of all others by what they run. Tenants whose
 * release the platform does not show are under `"unknown"`.
 */
export const releaseRefs = z.object({ most: z.string().optional(), others: z.record(z.string(), z.string()) });

type ReleaseRefs = z.infer<typeof releaseRefs>;

const unknown = "unknown";

/** What a tenant runs, as the platform shows it; `undefined` if it shows neither a release nor a channel. */
export function releaseRefOf({
  integration_release_id: id,
  integration_release_channel: channel,
}: Pick<Tenant, "integration_release_id" | "integration_release_channel">): ReleaseRef | undefined {
  if (channel) return channel; // a platform may send "" for no channel
  return typeof id === "number" ? String(id) : undefined;
}

/** Whether it is the id of a release, and not a channel. */
export function isReleaseId(ref: ReleaseRef): boolean {
  return /^\d+$/.test(ref);
}

/** The release in the form in which a tenant declares it. */
export function selectorOf(ref: ReleaseRef): ResolvedRelease {
  return isReleaseId(ref) ? { id: Number(ref) } : { channel: ref };
}

/** @param hasMost whether what most of them run stands for all that are not listed. */
export function writeReleaseRefs(refs: ReadonlyMap<number, ReleaseRef | undefined>, hasMost = true): ReleaseRefs {
  const groups = Map.groupBy(refs, ([, ref]) => ref ?? unknown);
  const bySize = [...groups].sort(([, left], [, right]) => right.length - left.length);
  const most = hasMost ? bySize.find(([ref]) => ref !== unknown)?.[0] : undefined;
  const others = bySize.filter(([ref]) => ref !== most).map(([ref, own]) => [ref, writeIds(own.map(([id]) => id))]);
  return { ...(most === undefined ? {} : { most }), others: Object.fromEntries(others) };
}

/** What each of the tenants runs; `undefined` where it is not known. */
export function readReleaseRefs(
  { most, others }: ReleaseRefs,
  ids: readonly number[],
): Map<number, ReleaseRef | undefined> {
  const refs = new Map(ids.map((id): [number, ReleaseRef | undefined] => [id, most]));
  for (const [ref, own] of Object.entries(others)) {
    for (const id of readIds(own)) if (refs.has(id)) refs.set(id, ref === unknown ? undefined : ref);
  }
  return refs;
}
