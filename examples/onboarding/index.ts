import * as pulumi from "@pulumi/pulumi";
import { SyncTrigger, Tenant } from "pulumi-integration-platform";

const config = new pulumi.Config();

const tenant = new Tenant(config.require("customer"), {
  integration: "crm-to-billing",
  schedule: "0 */6 * * *",
  paused: false,
  configs: { region: config.get("region") ?? "eu" },
  metadata: { plan: config.get("plan") ?? "basic" },
});

// The customer connects the tenant in their own time. Until then this is skipped; the first `up` after that runs it, and
// runs it again only if the configs change.
const firstSync = new SyncTrigger("first-sync", {
  tenantId: tenant.tenantId,
  mode: "init",
  triggers: { configs: tenant.configs },
});

export const tenantId = tenant.tenantId;
export const isOnboarded = firstSync.verdict.apply((verdict) => verdict === "succeeded");
