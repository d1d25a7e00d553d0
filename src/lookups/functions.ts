import { integrationLookup, integrationsLookup } from "./integrations.ts";
import { releaseLookup, releasesLookup } from "./releases.ts";
import { runLogLookup } from "./runs.ts";
import { tenantMetadataLookup } from "./tenant-metadata.ts";
import { tenantReleaseLookup } from "./tenant-release.ts";
import { tenantLookup, tenantsLookup } from "./tenants.ts";
import { triggerStatusLookup } from "./triggers.ts";

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
