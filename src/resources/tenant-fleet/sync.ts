import { defined } from "../defined.ts";
import { type SyncTriggerState, syncTriggerStateSchema } from "../sync-trigger/schema.ts";
import type { FleetEntryState, FleetSync, TenantFleetState } from "./schema.ts";

type SyncOutcome = Pick<SyncTriggerState, "triggerId" | "status" | "secondsWaited"> & {
  verdict?: SyncTriggerState["verdict"] | undefined;
};

/** The sync of a tenant as the inputs of a `SyncTrigger`; `undefined` where none is declared. */
export function syncOf(
  fleet: { sync?: object | undefined },
  entry: { sync?: object | undefined },
  tenantId: unknown,
): object | undefined {
  if (fleet.sync === undefined && entry.sync === undefined) return undefined;
  return { ...fleet.sync, ...entry.sync, tenantId };
}

/** What is stored of a tenant's sync as the state of a `SyncTrigger`; `undefined` where none has been asked for. */
export function syncStateOf(
  fleet: TenantFleetState,
  { sync, tenantId }: FleetEntryState,
): SyncTriggerState | undefined {
  return syncTriggerStateSchema.safeParse({ ...fleet.sync, ...sync, tenantId }).data;
}

/** What is stored of a tenant's sync: what is declared with the tenant, and how it went. */
export function storedSync(
  declared: FleetSync | undefined,
  { triggerId, status, verdict, secondsWaited }: SyncOutcome,
): FleetEntryState["sync"] {
  return { ...declared, ...defined({ triggerId, status, verdict, secondsWaited }) };
}

/** What is declared of a tenant's sync, with the tenant. */
export function withoutOutcome(stored: NonNullable<FleetEntryState["sync"]>): FleetSync | undefined {
  const { triggerId, status, verdict, secondsWaited, ...declared } = stored;
  return Object.keys(declared).length === 0 ? undefined : declared;
}
