import * as pulumi from "@pulumi/pulumi";
import { Build, getIntegrationOutput, SyncTrigger, Tenant } from "pulumi-integration-platform";

const config = new pulumi.Config();
const integration = "crm-to-billing";

const build = new Build("release", {
  integrationId: getIntegrationOutput({ name: integration }).integrationId,
  tag: config.require("tag"),
  branch: config.get("branch"),
});

// They exist, and are another stack's: this one manages nothing of them but the release, and archives none.
const runsTheRelease = (name: string, options: pulumi.CustomResourceOptions = {}) =>
  new Tenant(name, { integration, release: build.releaseId, adopt: true }, { retainOnDelete: true, ...options });

const canarySyncs = config.requireObject<string[]>("canaries").map((name) => {
  const canary = runsTheRelease(name);
  return new SyncTrigger(`${name}-sync`, {
    tenantId: canary.tenantId,
    mode: "normal",
    triggers: { release: canary.release }, // known once the tenant runs it
    whenUnconnected: "fail",
  });
});

// A sync that fails ends the `up` here: the rest stays on its release, and the next `up` tries the canaries again.
for (const name of config.requireObject<string[]>("rest")) runsTheRelease(name, { dependsOn: canarySyncs });

export const releaseId = build.releaseId;
