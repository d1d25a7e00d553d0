import type * as pulumi from "@pulumi/pulumi";
import {
  type GetIntegrationArgs,
  type GetIntegrationResult,
  type GetIntegrationsResult,
  integrationLookup,
  integrationsLookup,
} from "../integrations.ts";
import {
  type GetReleaseArgs,
  type GetReleaseResult,
  type GetReleasesArgs,
  type GetReleasesResult,
  releaseLookup,
  releasesLookup,
} from "../releases.ts";
import {
  type GetRunLogArgs,
  type GetRunLogResult,
  type GetTriggerStatusArgs,
  type GetTriggerStatusResult,
  runLogLookup,
  triggerStatusLookup,
} from "../runs.ts";
import {
  type GetTenantMetadataResult,
  type TenantIdArgs,
  tenantMetadataLookup,
  tenantReleaseLookup,
} from "../tenant-by-id-lookups.ts";
import {
  type GetTenantArgs,
  type GetTenantResult,
  type GetTenantsArgs,
  type GetTenantsResult,
  tenantLookup,
  tenantsLookup,
} from "../tenants.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const tenant = programLookup(tenantLookup);
const tenants = programLookup(tenantsLookup);

/**
 * Looks up a live tenant by its id, or by its integration and name (specification, Tenants). It is an error if it does not
 * exist or if several have the name.
 *
 * @example
 * const { tenantId } = await getTenant({ integration: "crm-to-billing", name: "acme" });
 */
export function getTenant(args: GetTenantArgs): Promise<GetTenantResult> {
  return tenant.now(args);
}

/** {@link getTenant} with arguments that may come from resources. */
export function getTenantOutput(args: InputsOf<GetTenantArgs>): pulumi.Output<GetTenantResult> {
  return tenant.later(args);
}

/** Looks up all live tenants of an integration (specification, Tenants). */
export function getTenants(args: GetTenantsArgs): Promise<GetTenantsResult> {
  return tenants.now(args);
}

/** {@link getTenants} with arguments that may come from resources. */
export function getTenantsOutput(args: InputsOf<GetTenantsArgs>): pulumi.Output<GetTenantsResult> {
  return tenants.later(args);
}

const tenantMetadata = programLookup(tenantMetadataLookup);

/** Looks up the metadata of a live tenant (specification, TenantMetadata). It is an error if the tenant does not exist. */
export function getTenantMetadata(args: TenantIdArgs): Promise<GetTenantMetadataResult> {
  return tenantMetadata.now(args);
}

/** {@link getTenantMetadata} with arguments that may come from resources. */
export function getTenantMetadataOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetTenantMetadataResult> {
  return tenantMetadata.later(args);
}

const tenantRelease = programLookup(tenantReleaseLookup);

/** Looks up the release that a tenant runs (specification, Tenants: release). It is an error if there is none. */
export function getTenantRelease(args: TenantIdArgs): Promise<GetReleaseResult> {
  return tenantRelease.now(args);
}

/** {@link getTenantRelease} with arguments that may come from resources. */
export function getTenantReleaseOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetReleaseResult> {
  return tenantRelease.later(args);
}

const integration = programLookup(integrationLookup);
const integrations = programLookup(integrationsLookup);

/**
 * Looks up an integration by its id or its name (specification, Integrations). It is an error if it does not exist or if
 * several have the name.
 *
 * @example
 * const { integrationId } = await getIntegration({ name: "crm-to-billing" });
 */
export function getIntegration(args: GetIntegrationArgs): Promise<GetIntegrationResult> {
  return integration.now(args);
}

/** {@link getIntegration} with arguments that may come from resources. */
export function getIntegrationOutput(args: InputsOf<GetIntegrationArgs>): pulumi.Output<GetIntegrationResult> {
  return integration.later(args);
}

/** Looks up all integrations that are not archived (specification, Integrations). */
export function getIntegrations(): Promise<GetIntegrationsResult> {
  return integrations.now({});
}

/** {@link getIntegrations} as an output. */
export function getIntegrationsOutput(): pulumi.Output<GetIntegrationsResult> {
  return integrations.later({});
}

const release = programLookup(releaseLookup);
const releases = programLookup(releasesLookup);

/**
 * Looks up a release by exactly one of id, tag and channel (specification, Releases). It is an error if it does not exist or
 * if several have the tag.
 *
 * @example
 * const { releaseId } = await getRelease({ integration: "crm-to-billing", channel: "Latest" });
 */
export function getRelease(args: GetReleaseArgs): Promise<GetReleaseResult> {
  return release.now(args);
}

/** {@link getRelease} with arguments that may come from resources. */
export function getReleaseOutput(args: InputsOf<GetReleaseArgs>): pulumi.Output<GetReleaseResult> {
  return release.later(args);
}

/** Looks up all releases of an integration. */
export function getReleases(args: GetReleasesArgs): Promise<GetReleasesResult> {
  return releases.now(args);
}

/** {@link getReleases} with arguments that may come from resources. */
export function getReleasesOutput(args: InputsOf<GetReleasesArgs>): pulumi.Output<GetReleasesResult> {
  return releases.later(args);
}

const runLog = programLookup(runLogLookup);

/** Downloads the log of a run (specification, Runs). It is an error if the run or its log does not exist. */
export function getRunLog(args: GetRunLogArgs): Promise<GetRunLogResult> {
  return runLog.now(args);
}

/** {@link getRunLog} with arguments that may come from resources. */
export function getRunLogOutput(args: InputsOf<GetRunLogArgs>): pulumi.Output<GetRunLogResult> {
  return runLog.later(args);
}

const triggerStatus = programLookup(triggerStatusLookup);

/** Looks up the current status of a trigger's run, without waiting for its end (specification, TriggerStatus). */
export function getTriggerStatus(args: GetTriggerStatusArgs): Promise<GetTriggerStatusResult> {
  return triggerStatus.now(args);
}

/** {@link getTriggerStatus} with arguments that may come from resources. */
export function getTriggerStatusOutput(args: InputsOf<GetTriggerStatusArgs>): pulumi.Output<GetTriggerStatusResult> {
  return triggerStatus.later(args);
}
