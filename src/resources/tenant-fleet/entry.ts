import { isDeepStrictEqual } from "node:util";
import { defined } from "../../json/defined.ts";
import { settingsOf } from "../../settings/table.ts";
import { keptProperties } from "../tenant/observed-tenant.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import type { FleetEntry, FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";
import { withoutOutcome } from "./sync.ts";

/** The properties of a fleet that apply to its tenants. */
type Fleet = Pick<
  TenantFleetInputs,
  "integration" | "name" | "logicalName" | "adopt" | "forceArchive" | "override" | "schemaViolations"
>;

/** An entry of a fleet as the inputs of a tenant. In a preview parts may be unknown, so the untyped form accepts any object. */
export function tenantOf(fleet: Fleet, key: string, entry: FleetEntry): TenantInputs;
export function tenantOf(fleet: object, key: string, entry: object): object;
export function tenantOf(
  { integration, name, logicalName = name, adopt, forceArchive, override, schemaViolations }: Partial<Fleet>,
  key: string,
  entry: object,
): object {
  const { aliases: _, retainOnDelete: __, sync: ___, ...settings }: FleetEntry = entry;
  const own = { logicalName: `${String(logicalName)}/${key}` };
  return defined({ adopt, forceArchive, override, schemaViolations, name: key, ...settings, integration, ...own });
}

/** The name of a fleet that is unique among fleets, also among those of one name under different parents. */
export function logicalNameOf({ name, logicalName = name }: { name: string; logicalName?: unknown }): string {
  return String(logicalName);
}

/** The entry of a key. It ignores inherited properties, as a key may be `constructor`. */
export function entryAt<Entry>(tenants: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(tenants, key) ? tenants[key] : undefined;
}

/** The state of an entry as the state of a tenant. */
export function tenantStateOf(
  fleet: TenantFleetState,
  key: string,
  { tenantId, ...entry }: FleetEntryState,
): TenantState {
  return { ...tenantOf(fleet, key, entry), tenantId, integrationId: fleet.integrationId };
}

/** The state of a tenant as the state of an entry, without the properties that the fleet has. */
export function entryStateOf(
  key: string,
  declared: Omit<FleetEntryState, "tenantId">,
  state: TenantState,
): FleetEntryState {
  const { tenantId, declaredName, overridden } = state;
  const { name, ...settings } = settingsOf(state);
  const isOwnName = name !== key || declared.name !== undefined;
  const { adopt, forceArchive, retainOnDelete, schemaViolations, aliases, sync, secretPaths } = declared;
  // a tenant that runs although the fleet's override is in force shows that as its own
  const override = overridden && state.override?.paused === false ? state.override : declared.override;
  return {
    ...defined({ name: isOwnName ? name : undefined, ...settings }),
    ...defined({ adopt, forceArchive, retainOnDelete, override, schemaViolations, aliases, sync, secretPaths }),
    ...keptProperties(state),
    ...defined({ declaredName, overridden }),
    tenantId,
  };
}

/**
 * The state of an entry with the override that it declares itself. A read may have stored the fleet's with it, as the tenant
 * ran although that is in force.
 */
export function withOwnOverride(fleet: Pick<Fleet, "override">, entry: FleetEntryState): FleetEntryState {
  if (entry.override?.paused !== false) return entry;
  const { override, ...rest } = entry;
  const declared = { ...override, paused: true };
  return isDeepStrictEqual(declared, fleet.override) ? rest : { ...rest, override: declared };
}

/** The inputs in the state of an entry. */
export function entryOf({
  tenantId: _,
  unreadablePaths: __,
  shownAs: ___,
  waitingFor: ____,
  latest: _____,
  declaredName: ______,
  overridden: _______,
  sync,
  ...entry
}: FleetEntryState): FleetEntry {
  return defined({ ...entry, sync: sync && withoutOutcome(sync) });
}

/**
 * The stored tenants under their new keys, so that a tenant whose key changes is kept. A new key replaces a key that is no
 * longer declared if the new entry lists the old key in `aliases`, has the name of its tenant, or adopts its tenant's id.
 */
export function withNewKeys<Entry extends object>(
  stored: Readonly<Record<string, Entry>>,
  declared: object,
): Record<string, Entry> {
  const newKeys = new Map<string, string>();
  const keyByName = new Map<unknown, string>();
  const keyById = new Map<unknown, string>();
  for (const [key, entry] of Object.entries(stored)) {
    const { name = key, declaredName = name, tenantId }: Partial<FleetEntryState> = entry;
    if (Object.hasOwn(declared, key)) continue;
    keyByName.set(declaredName, key);
    keyById.set(tenantId, key);
  }
  for (const [key, entry] of Object.entries(declared)) {
    if (Object.hasOwn(stored, key)) continue;
    const { aliases = [], name = key, adopt }: FleetEntry = Object(entry);
    const isFree = (former: string) =>
      Object.hasOwn(stored, former) && !Object.hasOwn(declared, former) && !newKeys.has(former);
    // a key takes over one tenant only
    const itsFormer = typeof adopt === "number" ? keyById.get(adopt) : keyByName.get(name);
    const former = [...[aliases].flat(), ...[itsFormer ?? []].flat()].find(isFree);
    if (former !== undefined) newKeys.set(former, key);
  }
  const tenants = Object.entries(stored).map(([former, entry]) => {
    const key = newKeys.get(former) ?? former;
    return [key, key === former ? entry : { name: former, ...entry }] as const;
  });
  return Object.fromEntries(tenants);
}

/** The fleet in messages: `fleet "billing"`. */
export function describeFleet({ name }: Pick<TenantFleetInputs, "name">): string {
  return `fleet "${name}"`;
}
