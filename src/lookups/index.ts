/**
 * Functions that look up data of the platform. Each has an async form and an `...Output` form, whose arguments may be
 * outputs of resources. All share one client and one snapshot of the platform for a run of the program: data that was read
 * once is not read again, except for metadata, trigger statuses and logs.
 *
 * @module
 */
export {
  type GetIntegrationArgs,
  type GetIntegrationResult,
  type GetIntegrationsResult,
  getIntegration,
  getIntegrationOutput,
  getIntegrations,
  getIntegrationsOutput,
} from "./integrations.ts";
export {
  type GetReleaseArgs,
  type GetReleaseResult,
  type GetReleasesArgs,
  type GetReleasesResult,
  getRelease,
  getReleaseOutput,
  getReleases,
  getReleasesOutput,
} from "./releases.ts";
export { type GetRunLogArgs, type GetRunLogResult, getRunLog, getRunLogOutput } from "./runs.ts";
export type { TenantIdArgs } from "./tenant-id-args.ts";
export { type GetTenantMetadataResult, getTenantMetadata, getTenantMetadataOutput } from "./tenant-metadata.ts";
export { getTenantRelease, getTenantReleaseOutput } from "./tenant-release.ts";
export {
  type GetTenantArgs,
  type GetTenantResult,
  type GetTenantsArgs,
  type GetTenantsResult,
  getTenant,
  getTenantOutput,
  getTenants,
  getTenantsOutput,
} from "./tenants.ts";
export {
  type GetTriggerStatusArgs,
  type GetTriggerStatusResult,
  getTriggerStatus,
  getTriggerStatusOutput,
} from "./triggers.ts";
