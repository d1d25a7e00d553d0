import { fleetOf, isInFleet, type Model, type Place, type Settings, type Slot } from "./model.ts";
import type { Edit } from "./story.ts";

/** What exists when a program is edited. */
export interface Existing {
  /** The ids of the platform's tenants. */
  readonly ids: readonly number[];
  /** The places in the state of the stack. */
  readonly places: ReadonlySet<Place>;
}

/** Applies an edit to the program. Returns the same program if the edit does not apply. */
export function applyEdit(model: Model, edit: Edit, existing: Existing): Model {
  const changed = changedBy(withoutAliases(model, edit), edit, existing);
  return changed === undefined || hasTwins(changed) ? model : withoutDangling(changed);
}

function changedBy(model: Model, edit: Edit, { ids, places }: Existing): Model | undefined {
  const { slots } = model;
  const at = (count: number) => [...slots.keys()][slots.size === 0 ? 0 : count % slots.size];
  if (edit.kind === "add")
    return slots.has(edit.place) ? undefined : put(model, edit.place, slot(edit.place, edit.settings));
  if (edit.kind === "metadata") {
    const metadata = new Map(model.metadata);
    const tenantId = ids[edit.of % ids.length];
    if (edit.data === undefined || tenantId === undefined) metadata.delete("m1");
    else metadata.set("m1", { tenantId, data: edit.data });
    return { ...model, metadata };
  }
  const place = at(edit.pick);
  const found = place === undefined ? undefined : slots.get(place);
  if (place === undefined || found === undefined) return undefined;
  const { settings } = found;
  if (edit.kind === "set") return put(model, place, slot(place, { ...settings, ...edit.settings }, found.alias));
  if (edit.kind === "unset") return put(model, place, { ...found, settings: { ...settings, [edit.what]: undefined } });
  if (edit.kind === "remove") return without(model, place);
  if (edit.kind === "move") return move(model, place, edit, places);
  if (edit.kind === "adopt id") {
    const id = edit.of === 7 ? 999_999 : ids[edit.of % ids.length];
    return id === undefined ? undefined : put(model, place, { ...found, settings: { ...settings, adopt: id } });
  }
  if (edit.kind === "build") {
    const release = { id: { $of: "Build b1", property: "releaseId" } };
    const builds = new Map(model.builds).set("b1", edit.tag);
    return { ...put(model, place, slot(place, { ...settings, integration: "crm", release })), builds };
  }
  if (edit.kind === "move metadata") return moveMetadata(model, place, found, edit.to);
  const other = at(edit.other);
  const second = other === undefined ? undefined : slots.get(other);
  if (other === undefined || second === undefined || other === place) return undefined;
  const named = put(model, place, { ...found, settings: { ...settings, name: second.settings.name } });
  if (edit.kind === "name of removed") return without(named, other);
  return put(named, other, { ...second, settings: { ...second.settings, name: settings.name } });
}

function move(
  model: Model,
  place: Place,
  edit: Extract<Edit, { kind: "move" }>,
  existing: ReadonlySet<Place>,
): Model | undefined {
  const found = model.slots.get(place);
  if (found === undefined || model.slots.has(edit.to)) return undefined;
  const isLinkable = isInFleet(place) ? fleetOf(place) === fleetOf(edit.to) : !isInFleet(edit.to);
  const applies = isLinkable && !existing.has(edit.to); // what the state has at the new place stays there
  const alias = edit.isAliased && applies ? place : undefined;
  const adopt = edit.adopt ?? found.settings.adopt;
  return put(without(model, place), edit.to, slot(edit.to, { ...found.settings, adopt }, alias));
}

/** Moves metadata between a `Tenant` and its `TenantMetadata`. */
function moveMetadata(model: Model, place: Place, found: Slot, to: "Tenant" | "TenantMetadata"): Model | undefined {
  if (isInFleet(place)) return undefined;
  const name = `m-${place}`;
  const metadata = new Map(model.metadata);
  const { settings } = found;
  if (to === "TenantMetadata") {
    if (settings.metadata === undefined || metadata.has(name)) return undefined;
    metadata.set(name, { tenantId: { $of: `Tenant ${place}`, property: "tenantId" }, data: settings.metadata });
    return { ...put(model, place, { ...found, settings: { ...settings, metadata: undefined } }), metadata };
  }
  const moved = metadata.get(name);
  if (moved === undefined) return undefined;
  metadata.delete(name);
  return { ...put(model, place, { ...found, settings: { ...settings, metadata: moved.data } }), metadata };
}

function slot(place: Place, settings: Settings, alias?: Place): Slot {
  return { settings: isInFleet(place) ? { ...settings, integration: "crm" } : settings, alias };
}

function put(model: Model, place: Place, slot: Slot): Model {
  return { ...model, slots: new Map(model.slots).set(place, slot) };
}

function without(model: Model, place: Place): Model {
  const slots = new Map(model.slots);
  slots.delete(place);
  return { ...model, slots };
}

/** An alias applies to one place only. Any other tenant at the old place is a different one. */
function withoutAliases(model: Model, edit: Edit): Model {
  const taken = edit.kind === "add" ? edit.place : edit.kind === "move" ? edit.to : undefined;
  const slots = [...model.slots].map(([place, slot]) =>
    slot.alias === taken ? ([place, { settings: slot.settings }] as const) : ([place, slot] as const),
  );
  return { ...model, slots: new Map(slots) };
}

/** The engine refuses a program that declares a resource twice with the same type and name. */
function hasTwins({ slots }: Model): boolean {
  const names = [...slots.values()].map(({ settings }) => `${settings.integration} ${settings.name}`);
  return new Set(names).size < names.length;
}

/** Removes metadata of tenants that are no longer declared, and second owners of a tenant's metadata. */
function withoutDangling(model: Model): Model {
  const metadata = [...model.metadata].filter(([name]) => {
    const place = name.startsWith("m-") ? name.slice(2) : undefined;
    if (place === undefined) return true;
    const found = model.slots.get(place);
    return found !== undefined && found.settings.metadata === undefined;
  });
  return { ...model, metadata: new Map(metadata) };
}
