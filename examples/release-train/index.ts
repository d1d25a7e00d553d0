import * as pulumi from "@pulumi/pulumi";
import { Build, getIntegrationOutput, SyncTrigger, Tenant } from "pulumi-integration-platform";

const config = new pulumi.Config();
const integration = "crm-to-billing";

const build = new Build("release", {
  integrationId: getIntegrationOutput({ name: integration }).integrationId,
  tag: config.require("tag"),
  branch: config.get("branch"),
});

// The tenants belong to another stack. This one manages only their release and never archives them.
const tenantOnRelease = (name: string, options: pulumi.CustomResourceOptions = {}) =>
  new Tenant(name, { integration, release: build.releaseId, adopt: true }, { retainOnDelete: true, ...options });

const canarySyncs = config.requireObject<string[]>("canaries").map((name) => {
  const canary = tenantOnRelease(name);
  return new SyncTrigger(`${name}-sync`, {
    tenantId: canary.tenantId,
    mode: "normal",
    triggers: { release: canary.release }, // known once the tenant runs it
    whenUnconnected: "fail",
  });
});

// If a canary's sync fails, the `up` ends here. The others stay on their release, and the next `up` syncs the canaries again.
for (const name of config.requireObject<string[]>("rest")) tenantOnRelease(name, { dependsOn: canarySyncs });

export const releaseId = build.releaseId;
