import * as pulumi from "@pulumi/pulumi";
import { getRelease, Tenant, TenantFleet } from "pulumi-integration-platform/native";

const config = new pulumi.Config();
const sixHourly = "0 */6 * * *";
const tested = await getRelease({ integration: "crm-to-billing", tag: "v1.1.0" });

const acme = new Tenant("acme", {
  integration: "crm-to-billing",
  schedule: sixHourly,
  release: { tag: "v1.0.0" },
  paused: false,
  configs: { region: "eu", batch_size: 200, api_token: config.requireSecret("apiToken") },
  metadata: { plan: "gold", seats: 40 },
});
new Tenant("bluebird", {
  integration: "crm-to-billing",
  schedule: sixHourly,
  release: { tag: "v1.0.0" },
  paused: false,
  configs: { region: "us" },
  metadata: { plan: "silver" },
});
new Tenant("cedar", {
  integration: "crm-to-billing",
  schedule: sixHourly,
  release: { id: tested.releaseId }, // the release that the lookup found
  paused: false,
  configs: { region: "uk", currency: "GBP" },
});
new Tenant("dune", {
  integration: "crm-to-billing",
  schedule: sixHourly,
  release: { channel: "Latest" },
  paused: false,
  configs: { region: "eu", mapping: { parent: pulumi.interpolate`tenant-${acme.tenantId}` } },
});
// Not in use yet: created, and left paused.
new Tenant("ember", { integration: "crm-to-billing", configs: { region: "eu" } });

const shops = {
  "fjord-shop": { warehouse: "north", currency: "EUR", sync_stock: true },
  "grove-shop": { warehouse: "south", currency: "USD", sync_stock: false },
  "harbour-shop": { warehouse: "west", currency: "GBP" },
};
for (const [name, configs] of Object.entries(shops)) {
  new Tenant(name, {
    integration: "shop-to-erp",
    // Without a schedule of its own, the tenant has that of the integration.
    schedule: name === "harbour-shop" ? "none" : "*/30 * * * *",
    release: { channel: "Latest" },
    paused: false,
    configs,
  });
}

const nightly = { schedule: "15 1 * * *", paused: false };
const payroll = new TenantFleet("payroll", {
  integration: "hr-to-payroll",
  limits: { archive: 1, change: "50%" },
  tenants: {
    "ivory-hr": { ...nightly, configs: { company_id: "ivory-01", country: "DE" } },
    "juniper-hr": { ...nightly, configs: { company_id: "juniper-07", country: "FR", include_contractors: true } },
    "kelp-hr": { ...nightly, configs: { company_id: "kelp-22", country: "SE" } },
    "lagoon-hr": { paused: true, configs: { company_id: "lagoon-03", country: "NL" } },
  },
});

export const acmeId = acme.tenantId;
export const payrollIds = payroll.tenantIds;
