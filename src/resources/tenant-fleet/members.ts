import type { SyncTriggerState } from "../sync-trigger/schema.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import { tenantOf, tenantStateOf } from "./entry.ts";
import type { FleetEntry, FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";
import { syncStateOf } from "./sync.ts";

/**
 * A tenant of a fleet with its stored and its declared properties, both in the form of the tenant's lifecycle.
 *
 * @typeParam Inputs the tenant's inputs. In a preview parts of them may be unknown, so they are an untyped object.
 */
export interface Member<Inputs extends object = TenantInputs> {
  key: string;
  /** `undefined` for a tenant to create. */
  stored: { entry: FleetEntryState; id: string; state: TenantState; sync: SyncTriggerState | undefined } | undefined;
  /** `undefined` for a tenant that is no longer declared. */
  declared: { entry: Inputs extends TenantInputs ? FleetEntry : object; inputs: Inputs } | undefined;
}

/** The inputs of a fleet, whose parts may be unknown in a preview. */
export interface PreviewedFleet {
  tenants: Readonly<Record<string, object>>;
  sync?: object | undefined;
}

/**
 * The tenants of a fleet by key. The declared ones come first, in the order of the program.
 *
 * @param state the state after {@link withNewKeys}, with the tenants under their new keys.
 */
export function membersOf(state: TenantFleetState, inputs: TenantFleetInputs): Map<string, Member>;
export function membersOf(state: TenantFleetState, inputs: PreviewedFleet): Map<string, Member<object>>;
export function membersOf(state: TenantFleetState, inputs: PreviewedFleet): Map<string, Member<object>> {
  const stored = new Map(Object.entries(state.tenants));
  const declared = new Map(Object.entries(inputs.tenants));
  const keys = new Set([...declared.keys(), ...stored.keys()]);
  return new Map(
    [...keys].map((key): [string, Member<object>] => {
      const [before, entry] = [stored.get(key), declared.get(key)];
      return [
        key,
        {
          key,
          stored: before && {
            entry: before,
            id: String(before.tenantId),
            state: tenantStateOf(state, key, before),
            sync: syncStateOf(state, before),
          },
          declared: entry && { entry, inputs: tenantOf(inputs, key, entry) },
        },
      ];
    }),
  );
}

/** The members with these keys. */
export function membersAt<Inputs extends object>(
  members: ReadonlyMap<string, Member<Inputs>>,
  keys: readonly string[],
): Member<Inputs>[] {
  return keys.flatMap((key) => members.get(key) ?? []);
}
