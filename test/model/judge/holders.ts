import { withoutMarks } from "../engine/secrets.ts";
import type { EngineState, StoredResource } from "../engine/state.ts";
import { isInFleet, type Model, type Place, type Slot } from "../model.ts";

/** A tenant that the engine's state holds: as a resource of its own, or in a fleet. */
export interface Holder {
  readonly place: Place;
  readonly id: number;
  readonly onRemove: string;
  readonly mayArchiveConnected: boolean;
  /** What the state has of its last sync; undefined where it has none. */
  readonly sync: { readonly number: unknown; readonly isDone: boolean } | undefined;
}

export function holdersIn(state: EngineState): Holder[] {
  return [...state.values()].flatMap((resource) => {
    if (resource.type === "Tenant") return [ownHolder(state, resource)];
    return resource.type === "TenantFleet" ? fleetHolders(resource) : [];
  });
}

/** The ids of the tenants whose metadata a `TenantMetadata` of the state has, with its keys. */
export function metadataKeysIn(state: EngineState): { id: number; keys: string[] }[] {
  return [...state.values()].flatMap(({ type, outputs }) =>
    type === "TenantMetadata" ? [{ id: Number(outputs.tenantId), keys: Object.keys(Object(outputs.data)) }] : [],
  );
}

/** Where a tenant is declared now that was declared at a place before: there, or where an alias has brought it. */
export function placeNow({ slots }: Model, place: Place): Place | undefined {
  const renamed = [...slots].find(([, { alias }]) => alias === place)?.[0];
  if (slots.has(place)) return place;
  return renamed;
}

export function slotNow(model: Model, place: Place): Slot | undefined {
  const now = placeNow(model, place);
  return now === undefined ? undefined : model.slots.get(now);
}

function ownHolder(state: EngineState, { name, outputs }: StoredResource): Holder {
  const { tenantId, onRemove, forceArchive } = withoutMarks(outputs);
  const trigger = state.get(`SyncTrigger ${name}-sync`);
  const sync = trigger === undefined ? undefined : withoutMarks(trigger.outputs);
  return {
    place: name,
    id: Number(tenantId),
    onRemove: String(onRemove ?? "archive"),
    mayArchiveConnected: forceArchive === true,
    sync: sync && { number: Object(sync.triggers).number, isDone: isDone(sync.verdict) },
  };
}

function fleetHolders({ name, outputs }: StoredResource): Holder[] {
  const { tenants, onRemove, forceArchive } = withoutMarks(outputs);
  return Object.entries(Object(tenants)).map(([key, stored]): Holder => {
    const entry = Object(stored);
    return {
      place: `${name}/${key}`,
      id: Number(entry.tenantId),
      onRemove: String(entry.onRemove ?? onRemove ?? "archive"),
      mayArchiveConnected: (entry.forceArchive ?? forceArchive) === true,
      sync: entry.sync && { number: Object(entry.sync.triggers).number, isDone: isDone(entry.sync.verdict) },
    };
  });
}

function isDone(verdict: unknown): boolean {
  return verdict === "requested" || verdict === "succeeded";
}

/** `Tenant t1`, or of a fleet's tenant `TenantFleet f1`. */
export function resourceOf(place: Place): string {
  return isInFleet(place) ? `TenantFleet ${place.split("/")[0]}` : `Tenant ${place}`;
}
