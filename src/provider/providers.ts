import { buildLifecycle } from "../resources/build/lifecycle.ts";
import { buildInputsSchema, buildStateSchema } from "../resources/build/schema.ts";
import type { Platform } from "../resources/platform.ts";
import { syncTriggerLifecycle } from "../resources/sync-trigger/lifecycle.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../resources/sync-trigger/schema.ts";
import { tenantLifecycle } from "../resources/tenant/lifecycle.ts";
import { tenantInputsSchema, tenantStateSchema } from "../resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../resources/tenant-fleet/lifecycle.ts";
import { tenantFleetInputsSchema, tenantFleetStateSchema } from "../resources/tenant-fleet/schema.ts";
import { tenantMetadataLifecycle } from "../resources/tenant-metadata/lifecycle.ts";
import { tenantMetadataInputsSchema, tenantMetadataStateSchema } from "../resources/tenant-metadata/schema.ts";
import { dynamicProvider } from "./dynamic-provider.ts";

/**
 * The providers of one operation of the engine.
 *
 * @param connect what they work on; called at the first call of each.
 */
export function providersOf(connect: () => Platform) {
  return {
    tenant: dynamicProvider({
      lifecycle: tenantLifecycle,
      inputsSchema: tenantInputsSchema,
      stateSchema: tenantStateSchema,
      connect,
    }),
    tenantMetadata: dynamicProvider({
      lifecycle: tenantMetadataLifecycle,
      inputsSchema: tenantMetadataInputsSchema,
      stateSchema: tenantMetadataStateSchema,
      connect,
    }),
    build: dynamicProvider({
      lifecycle: buildLifecycle,
      inputsSchema: buildInputsSchema,
      stateSchema: buildStateSchema,
      connect,
    }),
    syncTrigger: dynamicProvider({
      lifecycle: syncTriggerLifecycle,
      inputsSchema: syncTriggerInputsSchema,
      stateSchema: syncTriggerStateSchema,
      connect,
    }),
    tenantFleet: dynamicProvider({
      lifecycle: tenantFleetLifecycle,
      inputsSchema: tenantFleetInputsSchema,
      stateSchema: tenantFleetStateSchema,
      connect,
    }),
  };
}
