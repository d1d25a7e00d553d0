/**
 * What the official dynamic provider host loads: each resource's `__provider` text names one of these exports.
 *
 * @module
 */
import { tenantLifecycle } from "../resources/tenant/lifecycle.ts";
import { tenantInputsSchema, tenantStateSchema } from "../resources/tenant/schema.ts";
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
