import { defined } from "../../json/defined.ts";
import { entryOf } from "./entry.ts";
import type { TenantFleetInputs, TenantFleetState } from "./schema.ts";

type FleetSettings = Omit<TenantFleetInputs, "tenants">;

/** The inputs of a fleet without its tenants. */
export function settingsOf(fleet: FleetSettings): FleetSettings;
export function settingsOf(fleet: object): object;
export function settingsOf(fleet: object): object {
  const {
    integration,
    name,
    adopt,
    forceArchive,
    retainOnDelete,
    override,
    schemaViolations,
    limits,
    sync,
    syncConcurrency,
    rollout,
    logicalName,
    secretPaths,
  }: Partial<FleetSettings> = fleet;
  const forTenants = { adopt, forceArchive, retainOnDelete, override, schemaViolations, sync };
  return defined({ integration, name, ...forTenants, limits, syncConcurrency, rollout, logicalName, secretPaths });
}

/** The inputs in the state of a fleet. */
export function inputsOf(state: TenantFleetState): TenantFleetInputs {
  const entries = Object.entries(state.tenants).map(([key, entry]) => [key, entryOf(entry)] as const);
  return { ...settingsOf(state), tenants: Object.fromEntries(entries) };
}

/** The state with the ids of its tenants once more, as an output of their own. */
export function withTenantIds(state: TenantFleetState): TenantFleetState {
  const tenantIds = Object.entries(state.tenants).map(([key, { tenantId }]) => [key, tenantId] as const);
  return { ...state, tenantIds: Object.fromEntries(tenantIds) };
}
