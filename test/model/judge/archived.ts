import { type Case, nameOf, type Rule } from "./case.ts";
import { type Holder, placeNow, resourceOf, slotNow } from "./holders.ts";

/** A command archives only tenants that were removed from the program or are replaced. */
export const archivesOnlyWhatWasRemoved: Rule = (of) => {
  const archived = [...of.after.values()].filter(
    ({ id, isArchived }) => isArchived && of.before.get(id)?.isArchived !== true,
  );
  return archived.flatMap((tenant) => {
    const holders = of.heldBefore.filter(({ id }) => id === tenant.id);
    const what = `${nameOf(tenant)} was archived`;
    const isWholeRemoval = of.command.kind === "destroy";
    if (of.command.kind === "preview" || of.command.kind === "refresh") return [`${what} by a ${of.command.kind}`];
    if (holders.length === 0) return [`${what}, which the stack did not have`];
    const declaring = holders.filter((holder) => !isWholeRemoval && staysDeclared(of, holder));
    // if a replacement fails after its DELETE, the state keeps the tenant
    const isLeaving = (place: string) => holders.some((holder) => holder.place === place && !staysDeclared(of, holder));
    const stillHolding = of.heldAfter.filter(
      ({ id, place }) => id === tenant.id && of.model.slots.has(place) && (of.succeeds || !isLeaving(place)),
    );
    const taking = isWholeRemoval
      ? []
      : of.heldAfter.length === 0
        ? []
        : newSlotsFor(of, tenant.id, tenant.name, holders);
    const isConnected = isKnownAsConnected(of, tenant.id);
    return [
      ...declaring.map(({ place }) => `${what}, although ${place} declares it`),
      ...(isWholeRemoval
        ? []
        : stillHolding.map(({ place }) => `${what}, although the state says that ${place} has it`)),
      ...taking.map((place) => `${what}, although ${place} declares that name now`),
      ...(holders.every(({ isRetained }) => isRetained) ? [`${what}, although it was to be retained`] : []),
      ...(isConnected && !holders.some(({ mayArchiveConnected }) => mayArchiveConnected)
        ? [`${what}, although its customer has connected it`]
        : []),
    ];
  });
};

/** If the platform does not send the connection of a tenant that never ran, the tenant counts as not connected. */
function isKnownAsConnected({ before, variants }: Case, id: number): boolean {
  const tenant = before.get(id);
  const { absentField, authConnectors } = variants;
  const isTold = absentField !== "auth" && (absentField !== "connected" || authConnectors === "listed");
  return tenant?.isConnected === true && (isTold || tenant.hasRun);
}

/** A tenant that was removed from the program is archived. */
export const archivesWhatWasRemoved: Rule = (of) => {
  const { command, succeeds, model, heldBefore, heldAfter, after } = of;
  if (!succeeds || command.target !== undefined || (command.kind !== "up" && command.kind !== "destroy")) return [];
  return heldBefore.flatMap(({ place, id, isRetained }) => {
    const tenant = after.get(id);
    if (tenant === undefined || tenant.isArchived || isRetained) return [];
    // a second owner keeps the tenant: the engine drops it without a call of the provider, in any order
    if (heldBefore.some((other) => other.id === id && other.isRetained)) return [];
    if (heldAfter.some((holder) => holder.id === id)) return [];
    if (command.kind === "up" && placeNow(model, place) !== undefined && !isReplaced(of, place)) return [];
    return [`${nameOf(tenant)} is live, although ${place} was removed`];
  });
};

function staysDeclared(of: Case, { place, id }: Holder): boolean {
  const slot = slotNow(of.model, place);
  if (slot === undefined || isReplaced(of, place)) return false;
  const { integration, adopt } = slot.settings;
  const isOfIntegration = of.before.get(id)?.integrationId === of.integrationIds[integration];
  return isOfIntegration && (typeof adopt !== "number" || adopt === id);
}

function isReplaced({ command, model, before, heldBefore, integrationIds }: Case, place: string): boolean {
  const now = placeNow(model, place);
  const slot = slotNow(model, place);
  const id = heldBefore.find((holder) => holder.place === place)?.id;
  const tenant = id === undefined ? undefined : before.get(id);
  const isMoved =
    slot !== undefined && tenant !== undefined && tenant.integrationId !== integrationIds[slot.settings.integration];
  return isMoved || (now !== undefined && (command.replace ?? []).includes(resourceOf(now)));
}

/** New declarations with the name of an existing tenant, which take it over or are refused. */
function newSlotsFor(of: Case, id: number, name: string, holders: readonly Holder[]): string[] {
  const known = new Set(of.heldBefore.map(({ place }) => placeNow(of.model, place)));
  const integrationId = of.before.get(id)?.integrationId;
  if (of.drifted.get(id)?.has("name") || holders.some(({ place }) => isReplaced(of, place))) return [];
  return [...of.model.slots].flatMap(([place, { settings }]) => {
    const { adopt } = settings;
    const isForIt = adopt !== "never" && (typeof adopt !== "number" || adopt === id);
    const isNamedSo = settings.name === name && of.integrationIds[settings.integration] === integrationId;
    const isTargeted = of.command.target?.includes(resourceOf(place)) ?? true;
    return isForIt && isNamedSo && isTargeted && !known.has(place) ? [place] : [];
  });
}
