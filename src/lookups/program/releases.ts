import type * as pulumi from "@pulumi/pulumi";
import {
  type GetReleaseArgs,
  type GetReleaseResult,
  type GetReleasesArgs,
  type GetReleasesResult,
  releaseLookup,
  releasesLookup,
} from "../releases.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(releaseLookup);
const all = programLookup(releasesLookup);

/**
 * Looks up a release by exactly one of id, tag and channel (specification, Releases). It is an error if it does not exist or
 * if several have the tag.
 *
 * @example
 * const { releaseId } = await getRelease({ integration: "crm-to-billing", channel: "Latest" });
 */
export function getRelease(args: GetReleaseArgs): Promise<GetReleaseResult> {
  return one.now(args);
}

/** {@link getRelease} with arguments that may come from resources. */
export function getReleaseOutput(args: InputsOf<GetReleaseArgs>): pulumi.Output<GetReleaseResult> {
  return one.later(args);
}

/** Looks up all releases of an integration. */
export function getReleases(args: GetReleasesArgs): Promise<GetReleasesResult> {
  return all.now(args);
}

/** {@link getReleases} with arguments that may come from resources. */
export function getReleasesOutput(args: InputsOf<GetReleasesArgs>): pulumi.Output<GetReleasesResult> {
  return all.later(args);
}
