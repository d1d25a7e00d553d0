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
import type { Connection } from "./connect.ts";
import { dynamicProvider } from "./dynamic-provider.ts";

/**
 * The providers of one operation of the engine.
 *
 * @param connect returns their connection. It is called at the first call of each provider.
 */
export function providersOf(connect: () => Connection) {
  return {
    tenant: dynamicProvider({
      type: "Tenant",
      lifecycle: tenantLifecycle,
      inputsSchema: tenantInputsSchema,
      stateSchema: tenantStateSchema,
      deletionSchema: tenantDeletionSchema,
      connect,
    }),
    tenantMetadata: dynamicProvider({
      type: "TenantMetadata",
      lifecycle: tenantMetadataLifecycle,
      inputsSchema: tenantMetadataInputsSchema,
      stateSchema: tenantMetadataStateSchema,
      deletionSchema: tenantMetadataDeletionSchema,
      connect,
    }),
    build: dynamicProvider({
      type: "Build",
      lifecycle: buildLifecycle,
      inputsSchema: buildInputsSchema,
      stateSchema: buildStateSchema,
      deletionSchema: buildDeletionSchema,
      connect,
    }),
    syncTrigger: dynamicProvider({
      type: "SyncTrigger",
      lifecycle: syncTriggerLifecycle,
      inputsSchema: syncTriggerInputsSchema,
      stateSchema: syncTriggerStateSchema,
      deletionSchema: syncTriggerDeletionSchema,
      connect,
    }),
    tenantFleet: dynamicProvider({
      type: "TenantFleet",
      lifecycle: tenantFleetLifecycle,
      inputsSchema: tenantFleetInputsSchema,
      stateSchema: tenantFleetStateSchema,
      deletionSchema: tenantFleetDeletionSchema,
      connect,
    }),
  };
}
