/**
 * What the official dynamic provider host loads: each resource's `__provider` text names one of these exports.
 *
 * @module
 */
import { buildLifecycle } from "../resources/build/lifecycle.ts";
import { buildInputsSchema, buildStateSchema } from "../resources/build/schema.ts";
import { syncTriggerLifecycle } from "../resources/sync-trigger/lifecycle.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../resources/sync-trigger/schema.ts";
import { tenantLifecycle } from "../resources/tenant/lifecycle.ts";
import { tenantInputsSchema, tenantStateSchema } from "../resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../resources/tenant-fleet/lifecycle.ts";
import { tenantFleetInputsSchema, tenantFleetStateSchema } from "../resources/tenant-fleet/schema.ts";
import { tenantMetadataLifecycle } from "../resources/tenant-metadata/lifecycle.ts";
import { tenantMetadataInputsSchema, tenantMetadataStateSchema } from "../resources/tenant-metadata/schema.ts";
import { dynamicProvider } from "./dynamic-provider.ts";

export const tenant = dynamicProvider({
  lifecycle: tenantLifecycle,
  inputsSchema: tenantInputsSchema,
  stateSchema: tenantStateSchema,
});

export const tenantMetadata = dynamicProvider({
  lifecycle: tenantMetadataLifecycle,
  inputsSchema: tenantMetadataInputsSchema,
  stateSchema: tenantMetadataStateSchema,
});

export const build = dynamicProvider({
  lifecycle: buildLifecycle,
  inputsSchema: buildInputsSchema,
  stateSchema: buildStateSchema,
});

export const syncTrigger = dynamicProvider({
  lifecycle: syncTriggerLifecycle,
  inputsSchema: syncTriggerInputsSchema,
  stateSchema: syncTriggerStateSchema,
});

export const tenantFleet = dynamicProvider({
  lifecycle: tenantFleetLifecycle,
  inputsSchema: tenantFleetInputsSchema,
  stateSchema: tenantFleetStateSchema,
});
