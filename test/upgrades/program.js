// The program whose stack record.ts stores: each resource of the package once, with secrets. Each record has its own copy.
import * as pulumi from "@pulumi/pulumi";
import { Build, FleetRollout, SyncTrigger, Tenant, TenantFleet, TenantMetadata } from "pulumi-integration-platform";

const config = new pulumi.Config();
const region = config.require("region");
const token = config.requireSecret("token");
const integration = "crm-to-billing";
/** A tenant that the program does not manage. */
const umbrella = 4001;

const build = new Build("v9", { integrationId: 101, tag: "v9.9.9" });
const acme = new Tenant("acme", {
  integration,
  release: build.releaseId,
  schedule: "0 6 * * *",
  paused: true,
  configs: { region, api_token: token, mapping: { currency: "EUR" } },
  metadata: { plan: "gold" },
});
const billing = new TenantFleet("billing", {
  integration,
  tenants: {
    bluebird: { paused: true, configs: { region, api_token: token }, metadata: { plan: "gold", seats: 3 } },
    cedar: {
      paused: false,
      configs: { region, api_token: { ref: "env:UPGRADES_TOKEN" } },
      override: { paused: true, reason: "INC-42" },
    },
  },
  limits: { archive: 1 },
});
const moved = new TenantFleet("moved", {
  integration,
  tenants: { dune: {}, ember: {} },
  adopt: true,
  retainOnDelete: true,
  rollout: { release: { tag: "v1.1.0" } },
});
const rollout = new FleetRollout("moved", { fleet: moved, waves: [{ percent: 100 }], maxUnavailable: "100%" });
new TenantMetadata("umbrella", { tenantId: umbrella, data: { plan: "silver", key: token } });
const sync = new SyncTrigger("umbrella", {
  tenantId: umbrella,
  mode: "init",
  payload: { token },
  triggers: { region },
});

export const acmeId = acme.tenantId;
export const { tenantIds } = billing;
export const { phase } = rollout;
export const { outcome } = sync;
export const hidden = token;
