import * as pulumi from "@pulumi/pulumi";
import { Tenant, TenantMetadata } from "pulumi-integration-platform";

const config = new pulumi.Config();

const acme = new Tenant("acme", {
  integration: "crm-to-billing",
  release: { tag: "v1.0.0" },
  schedule: "0 */6 * * *",
  paused: false,
  configs: { region: "eu", api_token: config.requireSecret("acmeToken") },
});

// A preview does not know the id of a tenant that is still to be made: it shows it as known after `up`.
new Tenant("acme-us", {
  integration: "crm-to-billing",
  configs: { region: "us", mapping: { parent: pulumi.interpolate`tenant-${acme.tenantId}` } },
  metadata: { plan: "gold" },
});

// For a tenant that is made elsewhere, or, as here, without `metadata` of its own.
new TenantMetadata("acme-plan", { tenantId: acme.tenantId, data: { plan: "gold", seats: 40 } });

export const acmeId = acme.tenantId;
