import { defined } from "../../json/defined.ts";
import { type SyncTriggerState, syncTriggerStateSchema } from "../sync-trigger/schema.ts";
import type { FleetEntryState, FleetSync, TenantFleetState } from "./schema.ts";

type SyncOutcome = Pick<SyncTriggerState, "triggerId" | "status" | "secondsWaited"> & {
  outcome?: SyncTriggerState["outcome"] | undefined;
};

/** The declared sync of a tenant as the inputs of a `SyncTrigger`; `undefined` if none is declared. */
export function syncOf(
  fleet: { sync?: object | undefined },
  entry: { sync?: object | undefined },
  tenantId: unknown,
): object | undefined {
  if (fleet.sync === undefined && entry.sync === undefined) return undefined;
  return { ...fleet.sync, ...entry.sync, tenantId };
}

/** The stored sync of a tenant as the state of a `SyncTrigger`; `undefined` if none has been requested. */
export function syncStateOf(
  fleet: TenantFleetState,
  { sync, tenantId }: FleetEntryState,
): SyncTriggerState | undefined {
  return syncTriggerStateSchema.safeParse({ ...fleet.sync, ...sync, tenantId }).data;
}

/** The state of a tenant's sync: the arguments that the tenant declares, and the outcome. */
export function storedSync(
  declared: FleetSync | undefined,
  { triggerId, status, outcome, secondsWaited }: SyncOutcome,
): FleetEntryState["sync"] {
  return { ...declared, ...defined({ triggerId, status, outcome, secondsWaited }) };
}

/** The declared arguments in the state of a tenant's sync; `undefined` if there are none. */
export function withoutOutcome(stored: NonNullable<FleetEntryState["sync"]>): FleetSync | undefined {
  const { triggerId, status, outcome, secondsWaited, ...declared } = stored;
  return Object.keys(declared).length === 0 ? undefined : declared;
}
