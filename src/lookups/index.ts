/**
 * Functions that look up data of the platform. Each has an async form and an `...Output` form, whose arguments may be
 * outputs of resources. All share one client and one snapshot of the platform for a run of the program: data that was read
 * once is not read again, except for metadata, the release of a tenant (`getTenantRelease`), trigger statuses and logs.
 *
 * @module
 */
export type { GetIntegrationArgs, GetIntegrationResult, GetIntegrationsResult } from "./integrations.ts";
export {
  getIntegration,
  getIntegrationOutput,
  getIntegrations,
  getIntegrationsOutput,
  getRelease,
  getReleaseOutput,
  getReleases,
  getReleasesOutput,
  getRunLog,
  getRunLogOutput,
  getTenant,
  getTenantMetadata,
  getTenantMetadataOutput,
  getTenantOutput,
  getTenantRelease,
  getTenantReleaseOutput,
  getTenants,
  getTenantsOutput,
  getTriggerStatus,
  getTriggerStatusOutput,
} from "./program/lookups.ts";
export type { GetReleaseArgs, GetReleaseResult, GetReleasesArgs, GetReleasesResult } from "./releases.ts";
export type { GetRunLogArgs, GetRunLogResult, GetTriggerStatusArgs, GetTriggerStatusResult } from "./runs.ts";
export type { GetTenantMetadataResult, TenantIdArgs } from "./tenant-by-id-lookups.ts";
export type { GetTenantArgs, GetTenantResult, GetTenantsArgs, GetTenantsResult } from "./tenants.ts";
