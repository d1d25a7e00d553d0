import type { z } from "zod";
import type { OperationContext } from "../operation/operation-context.ts";
import { buildLifecycle } from "./build/lifecycle.ts";
import { buildDeletionSchema, buildInputsSchema, buildStateSchema } from "./build/schema.ts";
import { withCheckpointsHeeded } from "./checkpoints.ts";
import { fleetRolloutLifecycle } from "./fleet-rollout/lifecycle.ts";
import {
  fleetRolloutDeletionSchema,
  fleetRolloutInputsSchema,
  fleetRolloutStateSchema,
} from "./fleet-rollout/schema.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { ResourceType } from "./pulumi/type-token.ts";
import { syncTriggerLifecycle } from "./sync-trigger/lifecycle.ts";
import { syncTriggerDeletionSchema, syncTriggerInputsSchema, syncTriggerStateSchema } from "./sync-trigger/schema.ts";
import { tenantLifecycle } from "./tenant/lifecycle.ts";
import { tenantDeletionSchema, tenantInputsSchema, tenantStateSchema } from "./tenant/schema.ts";
import { tenantFleetLifecycle } from "./tenant-fleet/lifecycle.ts";
import { tenantFleetDeletionSchema, tenantFleetInputsSchema, tenantFleetStateSchema } from "./tenant-fleet/schema.ts";
import { tenantMetadataLifecycle } from "./tenant-metadata/lifecycle.ts";
import {
  tenantMetadataDeletionSchema,
  tenantMetadataInputsSchema,
  tenantMetadataStateSchema,
} from "./tenant-metadata/schema.ts";

/** What a provider needs of a kind of resources. */
export interface ResourceKind<Inputs, State> {
  /** The name of the resource's class, which is the last part of its type token. */
  type: ResourceType;
  lifecycle: (context: OperationContext) => Lifecycle<Inputs, State, Inputs | undefined>;
  inputsSchema: z.ZodType<Inputs>;
  stateSchema: z.ZodType<State>;
  /** The schema of the state for `delete`, which allows invalid properties that a deletion does not need. */
  deletionSchema: z.ZodType<State>;
}

/** All kinds of resources, by the names of their classes. */
export const resourceKinds = {
  Tenant: kind({
    type: "Tenant",
    lifecycle: tenantLifecycle,
    inputsSchema: tenantInputsSchema,
    stateSchema: tenantStateSchema,
    deletionSchema: tenantDeletionSchema,
  }),
  TenantMetadata: kind({
    type: "TenantMetadata",
    lifecycle: tenantMetadataLifecycle,
    inputsSchema: tenantMetadataInputsSchema,
    stateSchema: tenantMetadataStateSchema,
    deletionSchema: tenantMetadataDeletionSchema,
  }),
  Build: kind({
    type: "Build",
    lifecycle: buildLifecycle,
    inputsSchema: buildInputsSchema,
    stateSchema: buildStateSchema,
    deletionSchema: buildDeletionSchema,
  }),
  SyncTrigger: kind({
    type: "SyncTrigger",
    lifecycle: syncTriggerLifecycle,
    inputsSchema: syncTriggerInputsSchema,
    stateSchema: syncTriggerStateSchema,
    deletionSchema: syncTriggerDeletionSchema,
  }),
  TenantFleet: kind({
    type: "TenantFleet",
    lifecycle: tenantFleetLifecycle,
    inputsSchema: tenantFleetInputsSchema,
    stateSchema: tenantFleetStateSchema,
    deletionSchema: tenantFleetDeletionSchema,
  }),
  FleetRollout: kind({
    type: "FleetRollout",
    lifecycle: fleetRolloutLifecycle,
    inputsSchema: fleetRolloutInputsSchema,
    stateSchema: fleetRolloutStateSchema,
    deletionSchema: fleetRolloutDeletionSchema,
  }),
};

/** Infers the inputs and the state, so that a kind with a schema of another resource does not compile. */
function kind<Inputs, State>(one: ResourceKind<Inputs, State>): ResourceKind<Inputs, State> {
  const lifecycle: typeof one.lifecycle = (context) => withCheckpointsHeeded(one.type, context, one.lifecycle(context));
  return { ...one, lifecycle };
}
