import { integrationLookup, integrationsLookup } from "./integrations.ts";
import { releaseLookup, releasesLookup } from "./releases.ts";
import { runLogLookup, triggerStatusLookup } from "./runs.ts";
import { tenantMetadataLookup, tenantReleaseLookup } from "./tenant-by-id-lookups.ts";
import { tenantLookup, tenantsLookup } from "./tenants.ts";

/** All lookups by their names, for the plugin, whose functions they are. */
export const functions = {
  getIntegration: integrationLookup,
  getIntegrations: integrationsLookup,
  getRelease: releaseLookup,
  getReleases: releasesLookup,
  getRunLog: runLogLookup,
  getTenant: tenantLookup,
  getTenantMetadata: tenantMetadataLookup,
  getTenantRelease: tenantReleaseLookup,
  getTenants: tenantsLookup,
  getTriggerStatus: triggerStatusLookup,
};
