import { defined } from "../defined.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import type { FleetEntry, FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";
import { withoutOutcome } from "./sync.ts";

/** What a fleet says for those of its tenants that do not. */
type Fleet = Pick<TenantFleetInputs, "integration" | "name" | "logicalName" | "adopt" | "forceArchive" | "onRemove">;

/** An entry of a fleet as the inputs of a tenant. Parts may be unknown yet: then it is of no type. */
export function tenantOf(fleet: Fleet, key: string, entry: FleetEntry): TenantInputs;
export function tenantOf(fleet: object, key: string, entry: object): object;
export function tenantOf(
  { integration, name, logicalName = name, adopt, forceArchive, onRemove }: Partial<Fleet>,
  key: string,
  entry: object,
): object {
  const { formerly: _, sync: __, ...settings }: FleetEntry = entry;
  const own = { logicalName: `${String(logicalName)}/${key}` };
  return defined({ adopt, forceArchive, onRemove, name: key, ...settings, integration, ...own });
}

/** What stands under a key: `constructor` may be one, and is there of itself in every object. */
export function entryAt<Entry>(tenants: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(tenants, key) ? tenants[key] : undefined;
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
export function entryStateOf(
  key: string,
  declared: Omit<FleetEntryState, "tenantId">,
  { name, schedule, release, paused, configs, metadata, tenantId, unreadablePaths, declaredName }: TenantState,
): FleetEntryState {
  const isOwnName = name !== key || declared.name !== undefined;
  const { adopt, forceArchive, onRemove, formerly, sync, secretPaths } = declared;
  return {
    ...defined({ name: isOwnName ? name : undefined, schedule, release, paused, configs, metadata }),
    ...defined({ adopt, forceArchive, onRemove, formerly, sync, secretPaths, unreadablePaths, declaredName }),
    tenantId,
  };
}

/** What is stored of an entry as it was declared. */
export function entryOf({
  tenantId: _,
  unreadablePaths: __,
  declaredName: ___,
  sync,
  ...entry
}: FleetEntryState): FleetEntry {
  return defined({ ...entry, sync: sync && withoutOutcome(sync) });
}

/**
 * Tenants as stored, under the keys that they have now: a key that was renamed takes its tenant along. A new key is a
 * rename of one that is no longer declared where it says so (`formerly`), or where it names that key's tenant, by its
 * name or as the id to adopt.
 */
export function renamed<Entry extends object>(
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
    const { formerly = [], name = key, adopt }: FleetEntry = Object(entry);
    const isFree = (former: string) =>
      Object.hasOwn(stored, former) && !Object.hasOwn(declared, former) && !newKeys.has(former);
    // one key has one tenant: what else is stored keeps its own
    const itsFormer = typeof adopt === "number" ? keyById.get(adopt) : keyByName.get(name);
    const former = [...[formerly].flat(), ...[itsFormer ?? []].flat()].find(isFree);
    if (former !== undefined) newKeys.set(former, key);
  }
  const tenants = Object.entries(stored).map(([former, entry]) => {
    const key = newKeys.get(former) ?? former;
    return [key, key === former ? entry : { name: former, ...entry }] as const;
  });
  return Object.fromEntries(tenants);
}

/** `fleet "billing"`. */
export function describeFleet({ name }: Pick<TenantFleetInputs, "name">): string {
  return `fleet "${name}"`;
}
