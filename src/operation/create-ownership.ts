import { type Claims, onOwnPlatform } from "./claims.ts";
import { createKnownOwnership } from "./known-ownership.ts";
import type {
  Archivings,
  Declarations,
  Holdings,
  OwnedTenant,
  Owner,
  Ownership,
  Replacements,
  TakeOverObstacle,
} from "./ownership.ts";
import { createQuiet } from "./quiet.ts";
import { shortDigest } from "./short-digest.ts";

/**
 * Creates the ownership of one operation.
 *
 * @param quietSeconds see {@link createQuiet}.
 * @param signal ends the waiting of {@link Quiet.untilQuiet}.
 */
export function createOwnership(allClaims: Claims, quietSeconds?: number, signal?: AbortSignal): Ownership {
  const known = createKnownOwnership(onOwnPlatform(allClaims));
  const { ownerNow, tenantNow, declaredAs } = known;
  const isDeclared = (owner: Owner) => ownerNow(owner).declared !== undefined;

  /** The other declared owners that are to have the same name. */
  const othersOfSameName = (owner: Owner) => {
    const { declared } = ownerNow(owner);
    if (declared?.nameDigest === undefined) return [];
    return [...declaredAs(declared)].filter((other) => other !== owner);
  };
  /** The owners that hold the tenant and are not declared in another integration, where the engine replaces it. */
  const keepersOf = ({ id, integrationId }: OwnedTenant) =>
    [...tenantNow(id).holders].filter(
      (owner) => (ownerNow(owner).declared?.integrationId ?? integrationId) === integrationId,
    );
  const otherKeeperOf = (owner: Owner, tenant: OwnedTenant) => {
    const keepers = keepersOf(tenant);
    const [firstAdopter = owner] = [...tenantNow(tenant.id).adopters].filter((one) => ownerNow(one).declared?.isNew);
    return [...keepers, firstAdopter].find((other) => other !== owner && isDeclared(other));
  };
  /** An owner of other names than these that holds no tenant, and may be about to take this one over. */
  const otherCreatorOf = (names: readonly Owner[], tenant: OwnedTenant & { name: string }) => {
    const { id, integrationId, name } = tenant;
    const { adopters } = tenantNow(id);
    const named = [...declaredAs({ integrationId, nameDigest: digestOf(name) })];
    const creators = [...named.filter((owner) => ownerNow(owner).declared?.adopts === undefined), ...adopters];
    return creators.find((owner) => !names.includes(owner) && ownerNow(owner).ids.size === 0);
  };
  const obstacleToTakeOver = (owner: Owner, tenant: OwnedTenant): TakeOverObstacle | undefined => {
    const other = otherKeeperOf(owner, tenant);
    if (other !== undefined) return { other, isArchiving: false };
    const { archivedBy } = tenantNow(tenant.id);
    return archivedBy === undefined ? undefined : { other: archivedBy, isArchiving: true };
  };

  const declarations: Declarations = {
    declare: (owner, { integrationId, name, adopts, hasState }) => {
      known.declare(owner, integrationId, digestOf(name) ?? null, adopts ?? null, hasState);
      const own = ownerNow(owner).declared;
      return othersOfSameName(owner).find((other) => {
        const both = [own, ownerNow(other).declared];
        // several live tenants may have one name: then their ids tell them apart
        const areToldApart = both.some((declared) => declared?.isNew && declared.adopts !== undefined);
        return !areToldApart && !both.every((declared) => declared?.hasState);
      });
    },
    isDeclared,
    sameNameAs: (owner) => othersOfSameName(owner)[0],
    startAnew: known.startAnew,
  };

  const holdings: Holdings = {
    hold: (owner, id) => {
      // a read, a diff and an update hold it again, and the file is to stay small
      if (!tenantNow(id).holders.has(owner)) known.hold(owner, id);
    },
    release: known.release,
    holdersOf: (id) => [...tenantNow(id).holders],
    takeOver: (owner, tenant) => {
      const obstacle = obstacleToTakeOver(owner, tenant);
      if (obstacle !== undefined) return obstacle;
      known.take(owner, tenant.id);
      const later = obstacleToTakeOver(owner, tenant); // another process may have claimed it at the same moment
      if (later !== undefined) known.release(owner, tenant.id);
      return later;
    },
    otherOwnerOf: (owner, tenant) => {
      const { declared } = ownerNow(owner);
      const isGivenUp = declared !== undefined && declared.integrationId !== tenant.integrationId;
      return isGivenUp ? undefined : otherKeeperOf(owner, tenant);
    },
    nextOwnerOf: (owner, tenant, { declaredOwner = owner, includesUndeclared = false } = {}) =>
      tenantNow(tenant.id).takenOverBy ??
      (includesUndeclared ? keepersOf(tenant)[0] : undefined) ??
      otherKeeperOf(owner, tenant) ??
      otherCreatorOf([owner, declaredOwner], tenant),
    mayBecomeFree: (owner, tenant) => keepersOf(tenant).length > 0 && otherKeeperOf(owner, tenant) === undefined,
    givesUpName: (owner, id, name) =>
      [...tenantNow(id).holders].some((other) => {
        const nameDigest = ownerNow(other).declared?.nameDigest;
        return other !== owner && nameDigest !== undefined && nameDigest !== digestOf(name);
      }),
  };

  const replacements: Replacements = {
    noteDiff: (owner, { id, isReplaced }) => {
      const { declared, lastDiff } = ownerNow(owner);
      const isKnown = lastDiff?.id === id && lastDiff.isReplaced === isReplaced;
      if (declared !== undefined && !isKnown) known.noteDiff(owner, id, isReplaced);
    },
    isReplaced: (owner, id) => {
      const { ids, lastDiff } = ownerNow(owner);
      return ids.has(id) && (lastDiff === undefined || lastDiff.id === id);
    },
    isKept: (owner, id) => {
      const { declared, lastDiff, isCheckedAsNew } = ownerNow(owner);
      return declared !== undefined && !isCheckedAsNew && lastDiff?.id === id && !lastDiff.isReplaced;
    },
    isReplacedBeforeDelete: (owner) => {
      const { declared, ids, hasReleased } = ownerNow(owner);
      return declared?.hasState === true && ids.size === 0 && !hasReleased;
    },
    refuseReplacement: (owner) => {
      for (const id of ownerNow(owner).ids) known.refuseReplacement(owner, id);
    },
    endReplacement: (owner) => {
      if ([...known.refusedNow().values()].includes(owner)) known.endReplacement(owner);
    },
    isReplacementRefused: (id) => known.refusedNow().has(id),
  };

  const archivings: Archivings = {
    duringArchive: async (owner, id, archive) => {
      known.beginArchive(owner, id);
      try {
        return await archive();
      } finally {
        known.endArchive(id);
      }
    },
    findGone: known.findGone,
    wasFoundGone: (id) => tenantNow(id).isGone,
  };

  return {
    ...createQuiet(allClaims, quietSeconds, signal),
    ...declarations,
    ...holdings,
    ...replacements,
    ...archivings,
  };
}

function digestOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : shortDigest(name);
}
