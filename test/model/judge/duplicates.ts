import type { Settings } from "../model.ts";
import type { RawTenant } from "../raw-store.ts";
import { type Case, nameOf, type Rule } from "./case.ts";
import { type Holder, placeNow, resourceOf } from "./holders.ts";

/** At most one live tenant for each declared one, and at most one declaration for each tenant. */
export const keepsOneTenantEach: Rule = (of) => {
  const { model, heldBefore, heldAfter, after, before, installed, installedMeanwhile } = of;
  // a tenant that could not be taken over is not in the state, and the next up tries again
  const adopted = [...model.slots.values()]
    .map(({ settings }) => settings.adopt)
    .filter((id) => typeof id === "number");
  const isWhole = of.succeeds && of.command.target === undefined;
  const heldIds = new Set([...heldAfter.map(({ id }) => id), ...(isWhole ? [] : adopted)]);
  const justRetained = heldBefore.filter(({ isRetained }) => isRetained);
  const retained = new Set([...of.retained, ...justRetained.map(({ id }) => id)]);
  if (of.command.kind === "destroy") return [];
  return [...model.slots].flatMap(([place, { settings }]) => {
    if (typeof settings.adopt === "number") return [];
    const id = heldAfter.find((holder) => holder.place === place)?.id;
    const held = id === undefined ? undefined : after.get(id);
    // a place that moves to another integration may be about to take over a tenant there
    const own = held?.integrationId === of.integrationIds[settings.integration] ? held : undefined;
    if (own !== undefined && (own.isArchived || own.name !== settings.name)) return [];
    // a provider cannot know that the tenant of another resource, which this command replaces, is going to stay
    const isOther = (holder: Holder) => holder.place !== place && placeNow(model, holder.place) !== undefined;
    const stays = new Set(justRetained.filter(isOther).map((holder) => holder.id));
    const isFresh = own !== undefined && before.get(own.id)?.name !== settings.name;
    const others = [...after.values()].filter((tenant) => {
      if (tenant.isArchived || tenant.id === id || tenant.name !== settings.name) return false;
      if (heldIds.has(tenant.id) || stays.has(tenant.id)) return false;
      if (tenant.integrationId !== of.integrationIds[settings.integration] || installedMeanwhile.has(tenant.id))
        return false;
      const isTheirs = installed.has(tenant.id) || retained.has(tenant.id);
      return isTheirs ? isFresh : true;
    });
    const maximum = own === undefined ? 1 : 0;
    const theirs = others.filter(({ id: other }) => installed.has(other) || retained.has(other));
    if (others.length - (own === undefined ? theirs.length : 0) <= maximum) return [];
    // after a lost answer, a removed tenant with the name is left to this place too: the user has to choose
    const isTold = ({ id: other }: RawTenant) =>
      of.outcome.errors.some(
        (error) => /live tenants of integration.*set adopt/.test(error) && error.includes(String(other)),
      );
    if (others.every(isTold)) return [];
    return [
      `${place} has more than one live tenant: ${[own, ...others].flatMap((tenant) => (tenant ? [nameOf(tenant)] : [])).join(", ")}`,
    ];
  });
};

export const declaresEachTenantOnce: Rule = (of) => {
  const { model, heldBefore, heldAfter, after, command, outcome, integrationIds } = of;
  // a refresh changes no holder, and has nothing to say about the program
  if (command.kind !== "up" || outcome.errors.some((error) => /is declared by two resources/.test(error))) return [];
  return heldAfter.flatMap(({ id, place }, index) => {
    const others = heldAfter.slice(index + 1).filter((other) => other.id === id);
    // a command leaves the state of what it does not target as it was, and of what it cannot delete for a replacement
    const isTargeted = (resource: string) => command.target?.includes(resource) ?? true;
    const isReplaced = (where: string, { integration }: Settings) =>
      command.replace?.includes(resourceOf(where)) === true ||
      integrationIds[integration] !== after.get(id)?.integrationId;
    const isDeclared = (where: string) => {
      const settings = model.slots.get(where)?.settings;
      if (settings === undefined || !isTargeted(resourceOf(where))) return false;
      return outcome.errors.length === 0 || !isReplaced(where, settings);
    };
    // a command that fails leaves what an earlier one with `--target` has left
    const hadIt = (where: string) => heldBefore.some((holder) => holder.place === where && holder.id === id);
    return others
      .filter((other) => isDeclared(place) && isDeclared(other.place))
      .filter((other) => outcome.errors.length === 0 || !hadIt(place) || !hadIt(other.place))
      .map((other) => `${place} and ${other.place} are declared, and both have tenant ${id}`);
  });
};

/** A finished sync with an unchanged declaration does not run again. */
export const syncsOnlyWhatIsDue: Rule = ({ heldBefore, heldAfter, model, syncs, command, drifted }: Case) =>
  heldBefore.flatMap(({ place, id, sync }) => {
    const now = placeNow(model, place);
    const declared = now === undefined ? undefined : model.slots.get(now)?.settings.sync;
    const isSame = heldAfter.some((holder) => holder.place === now && holder.id === id);
    if (sync?.isDone !== true || declared !== sync.number || !isSame || !syncs.includes(id)) return [];
    return command.replace === undefined && !drifted.has(id) ? [`${place} ran its sync again, which was not due`] : [];
  });
