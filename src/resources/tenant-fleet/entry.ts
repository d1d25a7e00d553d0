import { defined } from "../defined.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import type { FleetEntry, FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";

/** An entry of a fleet as the inputs of a tenant. Parts may be unknown yet: then it is of no type. */
export function tenantOf(
  fleet: Pick<TenantFleetInputs, "integration" | "adopt" | "forceArchive">,
  key: string,
  entry: FleetEntry,
): TenantInputs;
export function tenantOf(fleet: object, key: string, entry: object): object;
export function tenantOf(
  { integration, adopt, forceArchive }: Partial<TenantFleetInputs>,
  key: string,
  entry: object,
): object {
  const { onRemove: _, ...settings }: FleetEntry = entry;
  return defined({ adopt, forceArchive, name: key, ...settings, integration });
}

/** What is stored of an entry as the state of a tenant. */
export function tenantStateOf(
  fleet: TenantFleetState,
  key: string,
  { tenantId, ...entry }: FleetEntryState,
): TenantState {
  return { ...tenantOf(fleet, key, entry), tenantId, integrationId: fleet.integrationId };
}

/** The state of a tenant as what is stored of an entry: what the fleet says already is not said again. */
export function entryStateOf(key: string, declared: FleetEntry, state: TenantState): FleetEntryState {
  const {
    integration: _,
    integrationId: __,
    secretPaths: ___,
    adopt: ____,
    forceArchive: _____,
    name,
    ...settings
  } = state;
  const { adopt, forceArchive, onRemove } = declared;
  const isOwnName = name !== key || declared.name !== undefined;
  return defined({ ...settings, name: isOwnName ? name : undefined, adopt, forceArchive, onRemove });
}
