import { z } from "zod";
import type { Release } from "../api/index.ts";
import { type Defined, defined } from "../json/defined.ts";
import { digest } from "../json/digest.ts";
import { jsonSchemaOf } from "../json-schema/index.ts";
import { integrationScope } from "../operation/integration-scope.ts";
import { tenantInputsSchema } from "../resources/tenant/schema.ts";
import { isOneWay, releaseWays } from "../settings/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { lookupFunction } from "./lookup-function.ts";

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

/** The lookup `getRelease`. */
export const releaseLookup = lookupFunction(
  "getRelease",
  argsSchema,
  async (context, { integration: nameOrId, id, tag, channel }) => {
    const { id: integrationId, record, releases } = await integrationScope(context, nameOrId);
    if (id !== undefined) return presentRelease(integrationId, await releases.byId(id));
    if (tag !== undefined) return presentRelease(integrationId, await releases.byTag(tag));
    const found = await releases.ofChannel(channel ?? "");
    if (found === undefined)
      throw new UnknownNameError(`integration "${record.name}" has no release of channel ${channel}`);
    return presentRelease(integrationId, found);
  },
);
/** The lookup `getReleases`. */
export const releasesLookup = lookupFunction(
  "getReleases",
  allArgsSchema,
  async (context, { integration: nameOrId }) => {
    const { id, releases } = await integrationScope(context, nameOrId);
    return { releases: (await releases.all()).map((release) => presentRelease(id, release)) };
  },
);

/** The result for a release. Fields that the platform omits are absent. */
export function presentRelease(integrationId: number, release: Release): Defined<ReturnType<typeof fieldsOf>> {
  return defined(fieldsOf(integrationId, release));
}

function fieldsOf(integrationId: number, release: Release) {
  const [configs, metadata] = [jsonSchemaOf(release.config_schema), jsonSchemaOf(release.metadata_schema)];
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
    configSchema: configs,
    /** JSON Schema of the metadata; absent if the release has none. */
    metadataSchema: metadata,
    /** SHA-256 of the config schema, in hex. */
    configSchemaDigest: digest(configs),
    /** SHA-256 of the metadata schema, in hex. */
    metadataSchemaDigest: digest(metadata),
    /** The date of its creation, as the platform sends it. */
    createdDate: release.created_date ?? undefined,
  };
}
