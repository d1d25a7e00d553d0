import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Release } from "../api/index.ts";
import { type Defined, defined } from "../json/defined.ts";
import { digest } from "../json/digest.ts";
import { integrationScope } from "../operation/integration-scope.ts";
import { tenantInputsSchema } from "../resources/tenant/schema.ts";
import { isOneWay, releaseWays } from "../settings/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const { integration } = tenantInputsSchema.shape;
const integrationArgs = {
  /** Name or id of the integration. */
  integration,
};
const argsSchema = z
  .strictObject({ ...integrationArgs, ...releaseWays })
  .refine(({ integration: _, ...ways }) => isOneWay(ways), {
    error: "must have exactly one of id, tag and channel",
  });
const allArgsSchema = z.strictObject(integrationArgs);

/**
 * Selects a release like a `Tenant`: the name or id of an `integration`, and exactly one of `id`, `tag` and `channel`. The
 * channel `"Default"` is the default release, and `"Latest"` is the latest one.
 */
export type GetReleaseArgs = z.infer<typeof argsSchema>;

/** The name or id of an integration. */
export type GetReleasesArgs = z.infer<typeof allArgsSchema>;

/** A release (specification, IntegrationRelease), with the same outputs as a `Build`. */
export type GetReleaseResult = ReturnType<typeof presentRelease>;

/** All releases of an integration, in the platform's order. */
export interface GetReleasesResult {
  /** The releases. */
  releases: GetReleaseResult[];
}

const one = lookup("getRelease", argsSchema, async (context, { integration: nameOrId, id, tag, channel }) => {
  const { id: integrationId, record, releases } = await integrationScope(context, nameOrId);
  if (id !== undefined) return presentRelease(integrationId, await releases.byId(id));
  if (tag !== undefined) return presentRelease(integrationId, await releases.byTag(tag));
  const found = await releases.ofChannel(channel ?? "");
  if (found === undefined)
    throw new UnknownNameError(`integration "${record.name}" has no release of channel ${channel}`);
  return presentRelease(integrationId, found);
});
const all = lookup("getReleases", allArgsSchema, async (context, { integration: nameOrId }) => {
  const { id, releases } = await integrationScope(context, nameOrId);
  return { releases: (await releases.all()).map((release) => presentRelease(id, release)) };
});

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

/** The result for a release. Fields that the platform omits are absent. */
export function presentRelease(integrationId: number, release: Release): Defined<ReturnType<typeof fieldsOf>> {
  return defined(fieldsOf(integrationId, release));
}

function fieldsOf(integrationId: number, release: Release) {
  return {
    /** Id of the release. */
    releaseId: release.id,
    /** Id of the integration. */
    integrationId,
    /** Name of the release. */
    releaseName: release.name,
    /** Tag of the release. */
    tag: release.tag ?? undefined,
    /** Branch that the release was built from. */
    branch: release.repository_tracking_branch ?? undefined,
    /** The release's `config_version`. */
    configVersion: release.config_version,
    /** JSON Schema of the configs; absent if the release has none. */
    configSchema: release.config_schema ?? undefined,
    /** JSON Schema of the metadata; absent if the release has none. */
    metadataSchema: release.metadata_schema ?? undefined,
    /** SHA-256 of the config schema, in hex. */
    configSchemaDigest: digest(release.config_schema),
    /** SHA-256 of the metadata schema, in hex. */
    metadataSchemaDigest: digest(release.metadata_schema),
    /** The date of its creation, as the platform sends it. */
    createdDate: release.created_date ?? undefined,
  };
}
