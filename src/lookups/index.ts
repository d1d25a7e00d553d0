/**
 * What a program asks the platform: plain async functions, and `...Output` forms whose arguments may come from resources.
 * All of them share one client and one snapshot of the platform: what was read once in a run of the program stays as it
 * was then, but for metadata, trigger statuses and logs, which are asked for each time.
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
