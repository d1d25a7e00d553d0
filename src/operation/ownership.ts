import { z } from "zod";
import { type Claims, onOwnPlatform, type Writer } from "./claims.ts";
import { createQuiet, type Quiet } from "./quiet.ts";
import { shortDigest } from "./short-digest.ts";

/**
 * The resource that owns a tenant, by type and logical name: `Tenant acme`. A tenant of a fleet has the fleet's logical name
 * and the tenant's key: `TenantFleet billing/acme`.
 */
export type Owner = string;

/** The types of resources that own tenants. */
export type OwnerKind = "Tenant" | "TenantFleet";

/** The owner of a tenant according to the resource's inputs or state. */
export function ownerOf(
  kind: OwnerKind,
  {
    name,
    declaredName = name,
    logicalName = declaredName,
  }: { name: string; declaredName?: string | undefined; logicalName?: string | undefined },
): Owner {
  return `${kind} ${logicalName}`;
}

/** What the program declares about an owner's tenant. */
export interface Declaration {
  integrationId: number;
  /** `undefined` if a preview does not know it yet. */
  name: string | undefined;
  /** The id of the tenant to take over. */
  adopts?: number | undefined;
  /** Whether the engine has a state of this resource. Only `check` gets it, and not for a replacement. */
  hasState: boolean;
}

/**
 * Which resource owns which tenant, within one operation of the engine, for all of its provider processes.
 *
 * An owner *holds* a tenant's id as soon as any call has both, except the diff of a refresh, whose inputs may be older than the
 * state. These calls include the read of a refresh, which the engine also sends for resources that the program no longer
 * declares. An owner is *declared* once the program's inputs were checked. An owner that holds a tenant and is not declared may
 * therefore be about to be removed.
 */
export interface Ownership extends Quiet {
  /** Records that the program declares this owner. */
  declare(owner: Owner, declaration: Declaration): void;
  /** Whether the program declares the owner, as far as its inputs were checked. */
  isDeclared(owner: Owner): boolean;
  /** Whether the program declares another name for the owner's tenant. */
  declaresOtherName(owner: Owner, name: string): boolean;
  /** Another owner that declares the same new tenant, with the same integration and name. */
  twinOf(owner: Owner): Owner | undefined;
  /** Records that the owner holds the tenant. */
  hold(owner: Owner, id: number): void;
  /** Records that the owner no longer holds the tenant. */
  release(owner: Owner, id: number): void;
  /** Records that the owner's create takes the tenant over, and so holds it. */
  take(owner: Owner, id: number): void;
  /**
   * The owner whose create took the tenant over, even after a release. After `pulumi state rename`, the engine may delete a
   * resource whose state has the logical name of the resource that it has just created.
   */
  takerOf(id: number): Owner | undefined;
  /** All owners that hold the tenant. */
  holdersOf(id: number): readonly Owner[];
  /**
   * The owners that hold the tenant, without those that the program now declares in another integration: the engine replaces
   * these, so they let it go.
   */
  keepersOf(tenant: { id: number; integrationId: number }): readonly Owner[];
  /** Another declared owner that keeps the tenant or was the first to declare its id in `adopt`. */
  rivalOf(owner: Owner, tenant: { id: number; integrationId: number }): Owner | undefined;
  /**
   * Another declared owner that holds no tenant and declares this name or adopts this id. It may be about to take the tenant
   * over. It may have a state: a fleet's state includes the inputs of tenants that could not be created.
   *
   * @param owners this owner, by all of its names.
   */
  claimantOf(owners: readonly Owner[], tenant: { id: number; integrationId: number; name: string }): Owner | undefined;
  /** Another owner that declares the same integration and name as this one. */
  namesakeOf(owner: Owner): Owner | undefined;
  /**
   * Whether the engine creates this resource's replacement before it deletes the old tenant, whose id no call of this
   * operation has had yet. Once a call has it, use {@link holdersOf}.
   */
  isReplacedBeforeDelete(owner: Owner): boolean;
  /** Whether a check was as of a new resource, in any process. The engine checks a replacement in this way. */
  isCheckedAsNew(owner: Owner): boolean;
  /** Records that the create would be refused that follows the archiving of what the owner holds. */
  refuseReplacement(owner: Owner): void;
  /** Records that the owner's create has succeeded, whatever {@link refuseReplacement} has recorded. */
  endReplacement(owner: Owner): void;
  /** Whether {@link refuseReplacement} was called, in any process, for an owner that held the tenant then. */
  isReplacementRefused(id: number): boolean;
  /**
   * Records the diff of an owner with the known inputs of the program. A diff before the first check is one of a refresh, perhaps
   * of a tenant whose deletion is pending, and is left out.
   */
  noteDiff(owner: Owner, diff: LastDiff): void;
  /** The last diff of an owner, in any process. */
  lastDiffOf(owner: Owner): LastDiff | undefined;
  /** Records that the owner has no tenant yet, even if it had inputs before. */
  startAnew(owner: Owner): void;
  /**
   * Runs the archiving of the owner's tenant. Meanwhile, no other owner may take the tenant over. Ask again whether one has
   * done so: a process that takes it over at the same moment sees either this or is seen.
   */
  duringArchive<T>(owner: Owner, id: number, archive: () => Promise<T>): Promise<T>;
  /** The owner that is archiving the tenant at the moment. */
  archiverOf(id: number): Owner | undefined;
  /** Records that this operation has archived the tenant, or has found it archived. Lists may be older. */
  findGone(id: number): void;
  /** Whether {@link findGone} was called for the tenant. */
  wasFoundGone(id: number): boolean;
}

/** Of which tenant a diff was, and whether it asked for a replacement. */
export interface LastDiff {
  id: number;
  isReplaced: boolean;
}

/** A declaration as all processes know it, without the tenant's name. */
interface Declared {
  integrationId: number;
  nameDigest: string | undefined;
  adopts: number | undefined;
  hasState: boolean;
  /** The id to adopt of an owner that has no state yet. */
  adoptedId: number | undefined;
}

const ownerSchema = z.string();
const idSchema = z.int();
const ofTenant = z.tuple([ownerSchema, idSchema]);

/**
 * Creates the ownership of one operation.
 *
 * @param quietSeconds see {@link createQuiet}.
 * @param signal ends the waiting of {@link Quiet.untilQuiet}.
 */
export function createOwnership(allClaims: Claims, quietSeconds?: number, signal?: AbortSignal): Ownership {
  const claims = onOwnPlatform(allClaims);
  const declarations = new Map<Owner, Declared>();
  const ownersByName = new Map<string, Set<Owner>>();
  const adopters = new Map<number, Set<Owner>>();
  const holders = new Map<number, Set<Owner>>();
  const released = new Set<Owner>();
  const held = new Map<Owner, Set<number>>();
  const takers = new Map<number, Owner>();
  const gone = new Set<number>();
  const archivers = new Map<number, Owner>();
  const unreplaceable = new Map<number, Owner>();
  const checkedAsNew = new Set<Owner>();
  const lastDiffs = new Map<Owner, LastDiff>();

  const ownerBy = ownersNamedFor(claims);
  const applyHold = (owner: Owner, id: number) => {
    add(holders, id, owner);
    add(held, owner, id);
  };
  const isHolding = (owner: Owner) => (held.get(owner)?.size ?? 0) > 0;
  const addDeclaration = claims.define(
    "declare",
    z.tuple([ownerSchema, idSchema, z.string().nullable(), idSchema.nullable(), z.boolean()]),
    (by, itsOwner, integrationId, nameDigest, adopts, isKnown) => {
      const owner = ownerBy(by, itsOwner);
      const hasState = isKnown || declarations.get(owner)?.hasState === true;
      const declared = {
        integrationId,
        nameDigest: nameDigest ?? undefined,
        adopts: adopts ?? undefined,
        hasState,
        adoptedId: isKnown ? undefined : (adopts ?? undefined),
      };
      declarations.set(owner, declared);
      if (!isKnown) checkedAsNew.add(owner);
      add(ownersByName, nameKey(declared), owner);
      if (adopts !== null) add(adopters, adopts, owner);
    },
  );
  const addHold = claims.define("hold", ofTenant, (by, owner, id) => applyHold(ownerBy(by, owner), id));
  const take = claims.define("take", ofTenant, (by, owner, id) => {
    applyHold(ownerBy(by, owner), id);
    takers.set(id, ownerBy(by, owner));
  });
  const release = claims.define("release", ofTenant, (by, itsOwner, id) => {
    const owner = ownerBy(by, itsOwner);
    holders.get(id)?.delete(owner);
    held.get(owner)?.delete(id);
    released.add(owner);
  });
  const startAnew = claims.define("start anew", z.tuple([ownerSchema]), (by, itsOwner) => {
    const owner = ownerBy(by, itsOwner);
    const known = declarations.get(owner);
    if (known !== undefined) declarations.set(owner, { ...known, hasState: false });
  });
  const refuseOne = claims.define("refuse replacement", ofTenant, (by, owner, id) =>
    unreplaceable.set(id, ownerBy(by, owner)),
  );
  const endReplacement = claims.define("end replacement", z.tuple([ownerSchema]), (by, owner) => {
    for (const [id, other] of unreplaceable) if (other === ownerBy(by, owner)) unreplaceable.delete(id);
  });
  const addDiff = claims.define("diff", z.tuple([ownerSchema, idSchema, z.boolean()]), (by, owner, id, isReplaced) =>
    lastDiffs.set(ownerBy(by, owner), { id, isReplaced }),
  );
  const beginArchive = claims.define("archive", ofTenant, (by, owner, id) => archivers.set(id, ownerBy(by, owner)));
  const endArchive = claims.define("archive ends", z.tuple([idSchema]), (_, id) => archivers.delete(id));
  const findGone = claims.define("gone", z.tuple([idSchema]), (_, id) => gone.add(id));

  /** The claims of this moment, of all processes. */
  const now = () => {
    claims.sync();
    return {
      declarations,
      ownersByName,
      adopters,
      holders,
      released,
      takers,
      gone,
      archivers,
      unreplaceable,
      checkedAsNew,
      lastDiffs,
    };
  };
  const holdersOf = (id: number) => [...(now().holders.get(id) ?? [])];
  const keepersOf: Ownership["keepersOf"] = ({ id, integrationId }) =>
    holdersOf(id).filter((owner) => (declarations.get(owner)?.integrationId ?? integrationId) === integrationId);

  /** The other declared owners that are to have the same name, each with its declaration and that of this owner. */
  const namesakesOf = (owner: Owner) => {
    const own = now().declarations.get(owner);
    if (own?.nameDigest === undefined) return [];
    return [...(ownersByName.get(nameKey(own)) ?? [])].flatMap((other) => {
      const declared = declarations.get(other); // it may have been declared anew, under another name
      const isNamesake = other !== owner && declared !== undefined && nameKey(declared) === nameKey(own);
      return isNamesake ? [[other, declared, own] as const] : [];
    });
  };

  return {
    ...createQuiet(allClaims, quietSeconds, signal),
    declare: (owner, { integrationId, name, adopts, hasState }) =>
      addDeclaration(owner, integrationId, digestOf(name) ?? null, adopts ?? null, hasState),
    isDeclared: (owner) => now().declarations.has(owner),
    isCheckedAsNew: (owner) => now().checkedAsNew.has(owner),
    declaresOtherName: (owner, name) => {
      const nameDigest = now().declarations.get(owner)?.nameDigest;
      return nameDigest !== undefined && nameDigest !== digestOf(name);
    },
    twinOf: (owner) =>
      namesakesOf(owner).find(([, other, own]) => {
        // several live tenants may bear one name: then their ids tell them apart
        const areToldApart = [other, own].some(({ adoptedId }) => adoptedId !== undefined);
        return !areToldApart && !(other.hasState && own.hasState);
      })?.[0],
    hold: (owner, id) => {
      // a read, a diff and an update hold it again, and the file is to stay small
      if (!now().holders.get(id)?.has(owner)) addHold(owner, id);
    },
    take,
    takerOf: (id) => now().takers.get(id),
    release,
    holdersOf,
    keepersOf,
    rivalOf: (owner, tenant) => {
      const keepers = keepersOf(tenant);
      const { id } = tenant;
      const [adopter = owner] = [...(adopters.get(id) ?? [])].filter((one) => declarations.get(one)?.adoptedId === id);
      return [...keepers, adopter].find((other) => other !== owner && declarations.has(other));
    },
    claimantOf: (owners, { id, integrationId, name }) => {
      const nameDigest = digestOf(name);
      const named = now().ownersByName.get(nameKey({ integrationId, nameDigest })) ?? [];
      return [...named, ...(adopters.get(id) ?? [])].find((other) => {
        const declared = declarations.get(other);
        const isIts = declared?.adopts === undefined ? declared?.nameDigest === nameDigest : declared.adopts === id;
        return isIts && !owners.includes(other) && !isHolding(other);
      });
    },
    namesakeOf: (owner) => namesakesOf(owner)[0]?.[0],
    isReplacedBeforeDelete: (owner) =>
      now().declarations.get(owner)?.hasState === true && !released.has(owner) && !isHolding(owner),
    refuseReplacement: (owner) => {
      for (const id of held.get(owner) ?? []) refuseOne(owner, id);
    },
    endReplacement: (owner) => {
      if ([...now().unreplaceable.values()].includes(owner)) endReplacement(owner);
    },
    isReplacementRefused: (id) => now().unreplaceable.has(id),
    startAnew,
    noteDiff: (owner, { id, isReplaced }) => {
      const { declarations: declared, lastDiffs: last } = now();
      const isKnown = last.get(owner)?.id === id && last.get(owner)?.isReplaced === isReplaced;
      if (declared.has(owner) && !isKnown) addDiff(owner, id, isReplaced);
    },
    lastDiffOf: (owner) => now().lastDiffs.get(owner),
    duringArchive: async (owner, id, archive) => {
      beginArchive(owner, id);
      try {
        return await archive();
      } finally {
        endArchive(id);
      }
    },
    archiverOf: (id) => now().archivers.get(id),
    findGone,
    wasFoundGone: (id) => now().gone.has(id),
  };
}

/**
 * How this process calls the owners of each process. The dynamic and the native provider may have resources of one type and
 * name, of which one replaces the other, so those of the other provider have its name too.
 */
export function ownersNamedFor({ own }: Pick<Claims, "own">): (by: Writer, owner: Owner) => Owner {
  return ({ provider }, owner) => (provider === own.provider ? owner : `${owner} of the ${provider} provider`);
}

function digestOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : shortDigest(name);
}

function nameKey({ integrationId, nameDigest }: Pick<Declared, "integrationId" | "nameDigest">): string {
  return `${integrationId} ${nameDigest}`;
}

function add<Key, Value>(all: Map<Key, Set<Value>>, key: Key, value: Value): void {
  all.set(key, (all.get(key) ?? new Set()).add(value));
}
