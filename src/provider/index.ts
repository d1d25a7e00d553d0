/**
 * What the official dynamic provider host loads: each resource's `__provider` text names one of these exports.
 *
 * @module
 */
import { buildLifecycle } from "../resources/build/lifecycle.ts";
import { buildDeletionSchema, buildInputsSchema, buildStateSchema } from "../resources/build/schema.ts";
import { syncTriggerLifecycle } from "../resources/sync-trigger/lifecycle.ts";
import {
  syncTriggerDeletionSchema,
  syncTriggerInputsSchema,
  syncTriggerStateSchema,
} from "../resources/sync-trigger/schema.ts";
import { tenantLifecycle } from "../resources/tenant/lifecycle.ts";
import { tenantDeletionSchema, tenantInputsSchema, tenantStateSchema } from "../resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../resources/tenant-fleet/lifecycle.ts";
import {
  tenantFleetDeletionSchema,
  tenantFleetInputsSchema,
  tenantFleetStateSchema,
} from "../resources/tenant-fleet/schema.ts";
import { tenantMetadataLifecycle } from "../resources/tenant-metadata/lifecycle.ts";
import {
  tenantMetadataDeletionSchema,
  tenantMetadataInputsSchema,
  tenantMetadataStateSchema,
} from "../resources/tenant-metadata/schema.ts";
import { dynamicProvider } from "./dynamic-provider.ts";
import { leaveWithEngine } from "./leave-with-engine.ts";

leaveWithEngine(); // the host loads this for the first resource, and it is the first of ours that runs there

export const tenant = dynamicProvider({
  type: "Tenant",
  lifecycle: tenantLifecycle,
  inputsSchema: tenantInputsSchema,
  stateSchema: tenantStateSchema,
  deletionSchema: tenantDeletionSchema,
});

export const tenantMetadata = dynamicProvider({
  type: "TenantMetadata",
  lifecycle: tenantMetadataLifecycle,
  inputsSchema: tenantMetadataInputsSchema,
  stateSchema: tenantMetadataStateSchema,
  deletionSchema: tenantMetadataDeletionSchema,
});

export const build = dynamicProvider({
  type: "Build",
  lifecycle: buildLifecycle,
  inputsSchema: buildInputsSchema,
  stateSchema: buildStateSchema,
  deletionSchema: buildDeletionSchema,
});

export const syncTrigger = dynamicProvider({
  type: "SyncTrigger",
  lifecycle: syncTriggerLifecycle,
  inputsSchema: syncTriggerInputsSchema,
  stateSchema: syncTriggerStateSchema,
  deletionSchema: syncTriggerDeletionSchema,
});

export const tenantFleet = dynamicProvider({
  type: "TenantFleet",
  lifecycle: tenantFleetLifecycle,
  inputsSchema: tenantFleetInputsSchema,
  stateSchema: tenantFleetStateSchema,
  deletionSchema: tenantFleetDeletionSchema,
});
