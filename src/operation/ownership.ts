import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { tenantIdentity } from "../settings/tenant-identity.ts";

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
 * Which resource owns which tenant, within one operation of the engine.
 *
 * An owner *holds* a tenant's id as soon as any call has both. These include the read and the diff of a refresh, which the
 * engine also sends for resources that the program no longer declares. An owner is *declared* once the program's inputs
 * were checked. An owner that holds a tenant and is not declared may therefore be about to be removed.
 */
export interface Ownership {
  /** Records that the program declares this owner. */
  declare(owner: Owner, declaration: Declaration): void;
  /** The owner's declaration; `undefined` until its inputs were checked. */
  declarationOf(owner: Owner): Declaration | undefined;
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
  /** Another declared owner that holds the tenant or was the first to declare its id in `adopt`. */
  rivalOf(owner: Owner, id: number): Owner | undefined;
  /**
   * Another declared owner that holds no tenant and declares this name or adopts this id. It may be about to take the tenant
   * over. It may have a state: a fleet's state includes the inputs of tenants that could not be created.
   */
  claimantOf(owner: Owner, tenant: { id: number; integrationId: number; name: string }): Owner | undefined;
  /** Another owner that declares the same integration and name as this one. */
  namesakeOf(owner: Owner): Owner | undefined;
  /**
   * Whether the engine creates this resource's replacement before it deletes the old tenant, whose id no call of this
   * operation has had yet. Once a call has it, use {@link holdersOf}.
   */
  isReplacedBeforeDelete(owner: Owner): boolean;
  /** Records that the owner has no tenant yet, even if it had inputs before. */
  startAnew(owner: Owner): void;
  /** Runs the archiving of the owner's tenant. Meanwhile, no other owner may take the tenant over. */
  duringArchive<T>(owner: Owner, id: number, archive: () => Promise<T>): Promise<T>;
  /** The owner that is archiving the tenant at the moment. */
  archiverOf(id: number): Owner | undefined;
  /** Records that a read of this operation did not find the tenant. */
  findGone(id: number): void;
  /** Whether {@link findGone} was called for the tenant. */
  wasFoundGone(id: number): boolean;
  /** Runs a check or a diff. The engine calls these one by one, and as long as they come the program declares more. */
  duringCheck<T>(check: () => Promise<T>): Promise<T>;
  /**
   * Runs a create or an update. The engine has few workers: while all of them are busy, it sends no checks, even if the
   * program declares more.
   */
  duringWork<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves once no checks and no work, except work that waits here, have been running for `quietSeconds`. */
  untilQuiet(): Promise<void>;
}

/**
 * Creates the ownership of one operation.
 *
 * @param quietSeconds how many seconds without a check mean that the program has declared everything. A program that waits
 * longer between two resources may still declare more; the provider cannot detect this.
 */
export function createOwnership(quietSeconds = 0.3): Ownership {
  /** `adoptedId` is the id to adopt of an owner that has no state yet. */
  const declarations = new Map<Owner, Declaration & { adoptedId: number | undefined }>();
  const ownersByName = new Map<string, Set<Owner>>();
  const adopters = new Map<number, Set<Owner>>();
  const holders = new Map<number, Set<Owner>>();
  const released = new Set<Owner>();
  const holding = new Set<Owner>();
  const takers = new Map<number, Owner>();
  const gone = new Set<number>();
  const archivers = new Map<number, Owner>();
  const currentWork = new AsyncLocalStorage<{ waiting: number }>();
  let checks = 0;
  let busy = 0;
  let lastEndAt = Number.NEGATIVE_INFINITY;

  const holdersOf = (id: number) => [...(holders.get(id) ?? [])];
  const hold = (owner: Owner, id: number) => {
    add(holders, id, owner);
    holding.add(owner);
  };

  /** The other declared owners that are to have the same name, each with its declaration and that of this owner. */
  const namesakesOf = (owner: Owner) => {
    const own = declarations.get(owner);
    if (own?.name === undefined) return [];
    return [...(ownersByName.get(nameKey(own)) ?? [])].flatMap((other) => {
      const declared = declarations.get(other); // it may have been declared anew, under another name
      const isNamesake = other !== owner && declared !== undefined && nameKey(declared) === nameKey(own);
      return isNamesake ? [[other, declared, own] as const] : [];
    });
  };

  return {
    declare: (owner, declaration) => {
      const hasState = declaration.hasState || declarations.get(owner)?.hasState === true;
      const adoptedId = declaration.hasState ? undefined : declaration.adopts;
      declarations.set(owner, { ...declaration, hasState, adoptedId });
      add(ownersByName, nameKey(declaration), owner);
      if (declaration.adopts !== undefined) add(adopters, declaration.adopts, owner);
    },
    declarationOf: (owner) => declarations.get(owner),
    twinOf: (owner) =>
      namesakesOf(owner).find(([, other, own]) => {
        // several live tenants may bear one name: then their ids tell them apart
        const areToldApart = [other, own].some(({ adoptedId }) => adoptedId !== undefined);
        return !areToldApart && !(other.hasState && own.hasState);
      })?.[0],
    hold,
    take: (owner, id) => {
      hold(owner, id);
      takers.set(id, owner);
    },
    takerOf: (id) => takers.get(id),
    release: (owner, id) => {
      holders.get(id)?.delete(owner);
      released.add(owner);
    },
    holdersOf,
    rivalOf: (owner, id) => {
      const [adopter = owner] = [...(adopters.get(id) ?? [])].filter((one) => declarations.get(one)?.adoptedId === id);
      return [...holdersOf(id), adopter].find((other) => other !== owner && declarations.has(other));
    },
    claimantOf: (owner, { id, integrationId, name }) =>
      [...(ownersByName.get(nameKey({ integrationId, name })) ?? []), ...(adopters.get(id) ?? [])].find((other) => {
        const declared = declarations.get(other);
        return other !== owner && !holding.has(other) && (declared?.name === name || declared?.adopts === id);
      }),
    namesakeOf: (owner) => namesakesOf(owner)[0]?.[0],
    isReplacedBeforeDelete: (owner) =>
      declarations.get(owner)?.hasState === true && !released.has(owner) && !holding.has(owner),
    startAnew: (owner) => {
      const known = declarations.get(owner);
      if (known !== undefined) declarations.set(owner, { ...known, hasState: false });
    },
    duringArchive: async (owner, id, archive) => {
      archivers.set(id, owner);
      try {
        return await archive();
      } finally {
        archivers.delete(id);
      }
    },
    archiverOf: (id) => archivers.get(id),
    findGone: (id) => gone.add(id),
    wasFoundGone: (id) => gone.has(id),
    duringCheck: async (check) => {
      checks += 1;
      try {
        return await check();
      } finally {
        checks -= 1;
        lastEndAt = performance.now();
      }
    },
    duringWork: async (work) => {
      const own = { waiting: 0 };
      busy += 1;
      try {
        return await currentWork.run(own, work);
      } finally {
        busy -= 1;
        lastEndAt = performance.now();
      }
    },
    untilQuiet: async () => {
      const own = currentWork.getStore() ?? { waiting: 1 };
      own.waiting += 1;
      if (own.waiting === 1) busy -= 1;
      try {
        for (;;) {
          const leftMilliseconds = lastEndAt + quietSeconds * 1000 - performance.now();
          if (checks === 0 && busy === 0 && leftMilliseconds <= 0) return;
          await sleep(Math.max(leftMilliseconds, 20));
        }
      } finally {
        own.waiting -= 1;
        if (own.waiting === 0) busy += 1;
      }
    },
  };
}

function nameKey({ integrationId, name }: Pick<Declaration, "integrationId" | "name">): string {
  return tenantIdentity({ integration: integrationId, name });
}

function add<Key>(owners: Map<Key, Set<Owner>>, key: Key, owner: Owner): void {
  owners.set(key, (owners.get(key) ?? new Set()).add(owner));
}
