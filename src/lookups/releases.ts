import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Release } from "../api/index.ts";
import { digest } from "../digest.ts";
import { type Defined, defined } from "../resources/defined.ts";
import { integrationScope } from "../resources/integration-scope.ts";
import { isOneWay, releaseWays, tenantInputsSchema } from "../resources/tenant/schema.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const { integration } = tenantInputsSchema.shape;
const argsSchema = z
  .strictObject({ integration, ...releaseWays })
  .refine(({ integration: _, ...ways }) => isOneWay(ways), {
    error: "give the release one way only: { id }, { tag } or { channel }",
  });
const allArgsSchema = z.strictObject({ integration });

/**
 * Which release, in the words of a `Tenant`: `integration` by name or id, and one of `id`, `tag`, and `channel`, which is
 * `"Default"` for the default release and `"Latest"` for the latest.
 */
export type GetReleaseArgs = z.infer<typeof argsSchema>;

/** Whose releases: an integration by name or id. */
export type GetReleasesArgs = z.infer<typeof allArgsSchema>;

/** A release (specification, IntegrationRelease), with what a `Build` outputs of one. */
export type GetReleaseResult = ReturnType<typeof presentRelease>;

/** All releases of an integration, in the platform's order. */
export interface GetReleasesResult {
  releases: GetReleaseResult[];
}

const one = lookup("getRelease", argsSchema, async (platform, { integration: nameOrId, id, tag, channel }) => {
  const { id: integrationId, record, releases } = await integrationScope(platform, nameOrId);
  if (id !== undefined) return presentRelease(integrationId, await releases.byId(id));
  if (tag !== undefined) return presentRelease(integrationId, await releases.byTag(tag));
  const found = await releases.ofChannel(channel ?? "");
  if (found === undefined)
    throw new UnknownNameError(`integration "${record.name}" has no release of channel ${channel}`);
  return presentRelease(integrationId, found);
});
const all = lookup("getReleases", allArgsSchema, async (platform, { integration: nameOrId }) => {
  const { id, releases } = await integrationScope(platform, nameOrId);
  return { releases: (await releases.all()).map((release) => presentRelease(id, release)) };
});

/**
 * Looks up a release.
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

/** A release as lookups tell it. What the platform does not say is absent. */
export function presentRelease(integrationId: number, release: Release): Defined<ReturnType<typeof fieldsOf>> {
  return defined(fieldsOf(integrationId, release));
}

function fieldsOf(integrationId: number, release: Release) {
  return {
    releaseId: release.id,
    integrationId,
    releaseName: release.name,
    tag: release.tag ?? undefined,
    branch: release.repository_tracking_branch ?? undefined,
    configVersion: release.config_version,
    /** JSON Schema of the configs; absent where there is none. */
    configSchema: release.config_schema ?? undefined,
    /** JSON Schema of the metadata; absent where there is none. */
    metadataSchema: release.metadata_schema ?? undefined,
    /** SHA-256 of the config schema, in hex. */
    configSchemaDigest: digest(release.config_schema),
    /** SHA-256 of the metadata schema, in hex. */
    metadataSchemaDigest: digest(release.metadata_schema),
    /** When it was made, as the platform says it. */
    createdDate: release.created_date ?? undefined,
  };
}
