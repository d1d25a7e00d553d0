import { withoutMarks } from "../engine/secrets.ts";
import type { EngineState, StoredResource } from "../engine/state.ts";
import { isInFleet, type Model, type Place, type Slot } from "../model.ts";

/** A tenant in the engine's state, either as a resource or in a fleet. */
export interface Holder {
  readonly place: Place;
  readonly id: number;
  readonly isRetained: boolean;
  readonly mayArchiveConnected: boolean;
  /** The last sync in the state. Undefined if there is none. */
  readonly sync: { readonly number: unknown; readonly isDone: boolean } | undefined;
}

export function holdersIn(state: EngineState): Holder[] {
  return [...state.values()].flatMap((resource) => {
    if (resource.type === "Tenant") return [ownHolder(state, resource)];
    return resource.type === "TenantFleet" ? fleetHolders(resource) : [];
  });
}

/** The ids of the tenants whose metadata the state's `TenantMetadata` resources own, with their keys. */
export function metadataKeysIn(state: EngineState): { id: number; keys: string[] }[] {
  return [...state.values()].flatMap(({ type, outputs }) =>
    type === "TenantMetadata" ? [{ id: Number(outputs.tenantId), keys: Object.keys(Object(outputs.data)) }] : [],
  );
}

/** The current place of a tenant that was declared at an earlier place: the same, or where an alias moved it. */
export function placeNow({ slots }: Model, place: Place): Place | undefined {
  const renamed = [...slots].find(([, { alias }]) => alias === place)?.[0];
  if (slots.has(place)) return place;
  return renamed;
}

export function slotNow(model: Model, place: Place): Slot | undefined {
  const now = placeNow(model, place);
  return now === undefined ? undefined : model.slots.get(now);
}

function ownHolder(state: EngineState, { name, outputs, retainOnDelete }: StoredResource): Holder {
  const { tenantId, forceArchive } = withoutMarks(outputs);
  const last = withoutMarks(state.get(`SyncTrigger ${name}-sync`)?.outputs ?? {});
  const sync = last.tenantId === tenantId ? last : undefined; // else of a tenant that has been replaced
  return {
    place: name,
    id: Number(tenantId),
    isRetained: retainOnDelete,
    mayArchiveConnected: forceArchive === true,
    sync: sync && { number: Object(sync.triggers).number, isDone: isDone(sync.outcome) },
  };
}

function fleetHolders({ name, outputs }: StoredResource): Holder[] {
  const { tenants, retainOnDelete, forceArchive } = withoutMarks(outputs);
  return Object.entries(Object(tenants)).map(([key, stored]): Holder => {
    const entry = Object(stored);
    return {
      place: `${name}/${key}`,
      id: Number(entry.tenantId),
      isRetained: (entry.retainOnDelete ?? retainOnDelete) === true,
      mayArchiveConnected: (entry.forceArchive ?? forceArchive) === true,
      sync: entry.sync && { number: Object(entry.sync.triggers).number, isDone: isDone(entry.sync.outcome) },
    };
  });
}

function isDone(outcome: unknown): boolean {
  return outcome === "requested" || outcome === "succeeded";
}

/** The resource's key: `Tenant t1`, or `TenantFleet f1` for a fleet's tenant. */
export function resourceOf(place: Place): string {
  return isInFleet(place) ? `TenantFleet ${place.split("/")[0]}` : `Tenant ${place}`;
}
