import * as pulumi from "@pulumi/pulumi";
import { SyncTrigger, Tenant } from "pulumi-integration-platform";

const config = new pulumi.Config();

const tenant = new Tenant(config.require("customer"), {
  integration: "crm-to-billing",
  schedule: "0 */6 * * *",
  paused: false,
  // `billing_plan` is a dynamic choice: it waits until an init sync has found which plans this customer has.
  configs: { region: config.get("region") ?? "eu", billing_plan: config.get("billingPlan") ?? "basic" },
  metadata: { plan: config.get("plan") ?? "basic" },
});

// Skipped until the customer has connected the tenant. The first `up` after that runs the sync. Later ones run it again only
// if the configs have changed.
const firstSync = new SyncTrigger("first-sync", {
  tenantId: tenant.tenantId,
  mode: "init",
  triggers: { configs: tenant.configs },
});

export const tenantId = tenant.tenantId;
export const isOnboarded = firstSync.outcome.apply((outcome) => outcome === "succeeded");
