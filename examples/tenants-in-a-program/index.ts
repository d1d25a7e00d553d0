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

// A preview does not know the id of a tenant before `up` has created it, and shows it as unknown.
new Tenant("acme-us", {
  integration: "crm-to-billing",
  configs: { region: "us", mapping: { parent: pulumi.interpolate`tenant-${acme.tenantId}` } },
  metadata: { plan: "gold" },
});

// `TenantMetadata` is for a tenant that another program creates, or one without `metadata`, as here.
new TenantMetadata("acme-plan", { tenantId: acme.tenantId, data: { plan: "gold", seats: 40 } });

export const acmeId = acme.tenantId;
