import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A resource that answers for a tenant, by its type and logical name: `Tenant acme`; for a tenant of a fleet, by the
 * fleet's logical name and the tenant's key: `TenantFleet billing/acme`.
 */
export type Owner = string;

/** What has tenants of its own. */
export type OwnerKind = "Tenant" | "TenantFleet";

/** The owner of a tenant by the resource's inputs or state. */
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

/** What the program declares of the tenant that an owner answers for. */
export interface Declaration {
  integrationId: number;
  /** `undefined` while a preview does not know it. */
  name: string | undefined;
  /** The id of the tenant that the program says to take over. */
  adopts?: number | undefined;
  /** Whether the engine has a state of this resource. It says so to `check` alone, and not where it replaces. */
  hasState: boolean;
}

/**
 * Which resource answers for which tenant, within one operation of the engine.
 *
 * An owner *holds* a tenant's id as soon as any call names both: the read and the diff of a refresh too, which come for
 * resources that the program no longer declares as well. It is *declared* once the program's inputs were checked. So
 * what is held and not declared may be about to leave.
 */
export interface Ownership {
  /** The program declares this owner. */
  declare(owner: Owner, declaration: Declaration): void;
  /** What the program declares of an owner; `undefined` while nothing was checked. */
  declarationOf(owner: Owner): Declaration | undefined;
  /** Another declared owner of a tenant that is yet to be made: the same integration and name. */
  twinOf(owner: Owner): Owner | undefined;
  /** The owner answers for the tenant. */
  hold(owner: Owner, id: number): void;
  /** The owner no longer does. */
  release(owner: Owner, id: number): void;
  /** The owner answers for the tenant, as a create of this operation takes it over. */
  take(owner: Owner, id: number): void;
  /**
   * The owner whose create took the tenant over. A release does not change that: after `pulumi state rename`, the engine may
   * delete a resource whose state bears the logical name of the resource that it has just created.
   */
  takerOf(id: number): Owner | undefined;
  /** All that hold the tenant. */
  holdersOf(id: number): readonly Owner[];
  /** Another declared owner that holds the tenant, or was the first to adopt it by its id. */
  rivalOf(owner: Owner, id: number): Owner | undefined;
  /**
   * Another declared owner, without a tenant as far as is known, that is to have this name or adopts this id: it may be
   * about to take the tenant over. It may have a state all the same: a fleet has inputs of tenants it could not make.
   */
  claimantOf(owner: Owner, tenant: { id: number; integrationId: number; name: string }): Owner | undefined;
  /** Another declared owner that is to have the name that this one is to have. */
  namesakeOf(owner: Owner): Owner | undefined;
  /** Whether the engine creates this resource again before it has deleted what its state holds. */
  isReplacedBeforeDelete(owner: Owner): boolean;
  /** The owner has no tenant yet, whatever its inputs of before said. */
  startAnew(owner: Owner): void;
  /** The owner's tenant is archived while this work goes on: nobody else may take it over. */
  duringArchive<T>(owner: Owner, id: number, archive: () => Promise<T>): Promise<T>;
  /** Who archives the tenant just now. */
  archiverOf(id: number): Owner | undefined;
  /** A read of this operation found that the tenant is gone. */
  findGone(id: number): void;
  wasFoundGone(id: number): boolean;
  /** Runs a check or a diff, which the engine calls one after the other: while they come, the program has not said all. */
  duringCheck<T>(check: () => Promise<T>): Promise<T>;
  /**
   * Runs a create or an update that the engine asked for. The engine has few workers: while all of them are busy, it checks
   * nothing more, however much the program has yet to declare.
   */
  duringWork<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves once no check is under way, no work that does not wait for this as well, and neither has been for a moment. */
  untilQuiet(): Promise<void>;
}

/**
 * @param quietSeconds how long no check may have come until the program is taken to have declared everything. A program
 * that waits for something in between may declare more later: nothing tells.
 */
export function createOwnership(quietSeconds = 0.3): Ownership {
  /** `adoptedId`: what it adopts where it has no tenant yet. */
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

  return {
    declare: (owner, declaration) => {
      const hasState = declaration.hasState || declarations.get(owner)?.hasState === true;
      const adoptedId = declaration.hasState ? undefined : declaration.adopts;
      declarations.set(owner, { ...declaration, hasState, adoptedId });
      add(ownersByName, nameKey(declaration), owner);
      if (declaration.adopts !== undefined) add(adopters, declaration.adopts, owner);
    },
    declarationOf: (owner) => declarations.get(owner),
    twinOf: (owner) => {
      const own = declarations.get(owner);
      if (own?.name === undefined) return undefined;
      return [...(ownersByName.get(nameKey(own)) ?? [])].find((other) => {
        const { integrationId, name, adoptedId, hasState } = declarations.get(other) ?? own;
        const isSame = other !== owner && integrationId === own.integrationId && name === own.name;
        // several live tenants may bear one name: then their ids tell them apart
        const areToldApart = adoptedId !== undefined || own.adoptedId !== undefined || (hasState && own.hasState);
        return isSame && !areToldApart;
      });
    },
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
    namesakeOf: (owner) => {
      const own = declarations.get(owner);
      if (own?.name === undefined) return undefined;
      return [...(ownersByName.get(nameKey(own)) ?? [])].find(
        (other) => other !== owner && isSameName(own, declarations.get(other)),
      );
    },
    isReplacedBeforeDelete: (owner) => declarations.get(owner)?.hasState === true && !released.has(owner),
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
  return `${integrationId}/${name}`;
}

function isSameName(one: Declaration, other: Declaration | undefined): boolean {
  return one.integrationId === other?.integrationId && one.name === other.name;
}

function add<Key>(owners: Map<Key, Set<Owner>>, key: Key, owner: Owner): void {
  owners.set(key, (owners.get(key) ?? new Set()).add(owner));
}
