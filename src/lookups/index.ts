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
} from "./program/integrations.ts";
export { getRelease, getReleaseOutput, getReleases, getReleasesOutput } from "./program/releases.ts";
export { getRunLog, getRunLogOutput } from "./program/runs.ts";
export { getTenantMetadata, getTenantMetadataOutput } from "./program/tenant-metadata.ts";
export { getTenantRelease, getTenantReleaseOutput } from "./program/tenant-release.ts";
export { getTenant, getTenantOutput, getTenants, getTenantsOutput } from "./program/tenants.ts";
export { getTriggerStatus, getTriggerStatusOutput } from "./program/triggers.ts";
export type { GetReleaseArgs, GetReleaseResult, GetReleasesArgs, GetReleasesResult } from "./releases.ts";
export type { GetRunLogArgs, GetRunLogResult } from "./runs.ts";
export type { TenantIdArgs } from "./tenant-id-args.ts";
export type { GetTenantMetadataResult } from "./tenant-metadata.ts";
export type { GetTenantArgs, GetTenantResult, GetTenantsArgs, GetTenantsResult } from "./tenants.ts";
export type { GetTriggerStatusArgs, GetTriggerStatusResult } from "./triggers.ts";
