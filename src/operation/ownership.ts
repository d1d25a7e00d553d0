import type { Claims, Writer } from "./claims.ts";
import type { Quiet } from "./quiet.ts";

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

/**
 * How this process calls the owners of each process. The dynamic and the native provider may have resources of one type and
 * name, of which one replaces the other, so those of the other provider have its name too.
 */
export function ownersNamedFor({ own }: Pick<Claims, "own">): (by: Writer, owner: Owner) => Owner {
  return ({ provider }, owner) => (provider === own.provider ? owner : `${owner} of the ${provider} provider`);
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

/** A tenant and its integration. */
export interface OwnedTenant {
  id: number;
  integrationId: number;
}

/**
 * Which resource owns which tenant, within one operation of the engine, for all of its provider processes.
 *
 * An owner is *declared* once the program's inputs were checked. It *holds* a tenant as soon as any call has the ids of both,
 * except the diff of a refresh, whose inputs may be older than the state. These calls include the read of a refresh, which the
 * engine also sends for resources that the program no longer declares. So an owner that holds a tenant and is not declared may
 * be about to be removed.
 */
export interface Ownership extends Declarations, Holdings, Replacements, Archivings, Quiet {}

/** What the program declares. */
export interface Declarations {
  /**
   * Records that the program declares this owner.
   *
   * @returns another owner that declares the same new tenant, with the same integration and name.
   */
  declare(owner: Owner, declaration: Declaration): Owner | undefined;
  /** Whether the program declares the owner, as far as its inputs were checked. */
  isDeclared(owner: Owner): boolean;
  /** Another owner that declares the same integration and name as this one, perhaps for an existing tenant. */
  sameNameAs(owner: Owner): Owner | undefined;
  /** Records that the owner has no tenant yet, even if it had inputs before. */
  startAnew(owner: Owner): void;
}

/** Who holds a tenant, and who else the program declares as its owner. */
export interface Holdings {
  /** Records that the owner holds the tenant. */
  hold(owner: Owner, id: number): void;
  /** Records that the owner no longer holds the tenant. */
  release(owner: Owner, id: number): void;
  /** All owners that hold the tenant. */
  holdersOf(id: number): readonly Owner[];
  /**
   * Records that the owner's create takes the tenant over, and so holds it, unless another declared owner has it or an owner is
   * archiving it.
   *
   * @returns what stands against it; `undefined` if the owner has taken the tenant over.
   */
  takeOver(owner: Owner, tenant: OwnedTenant): TakeOverObstacle | undefined;
  /**
   * Another declared owner that holds the tenant, or was the first to declare its id in `adopt`. `undefined` if the program
   * declares this owner in another integration, so that the engine replaces its tenant.
   */
  otherOwnerOf(owner: Owner, tenant: OwnedTenant): Owner | undefined;
  /**
   * The owner that has the tenant, or may be about to take it over, when this owner gives it up. Such a tenant is not archived.
   *
   * - The owner whose create took it over. It may be this one: after `pulumi state rename`, the engine may delete a resource
   *   whose state has the logical name of the resource that it has just created.
   * - Another declared owner that holds the tenant or was the first to declare its id in `adopt`.
   * - Another declared owner that holds no tenant, and declares this name or adopts this id. It may have a state: a fleet's
   *   state includes the inputs of tenants that could not be created.
   *
   * @param declaredOwner this owner under the name that the program declares, if an alias has renamed it.
   * @param includesUndeclared whether an owner counts too that holds the tenant and is not declared. Set it only if this owner
   * has released the tenant under each of its names.
   */
  nextOwnerOf(
    owner: Owner,
    tenant: OwnedTenant & { name: string },
    options?: { declaredOwner?: Owner; includesUndeclared?: boolean },
  ): Owner | undefined;
  /**
   * Whether the tenant may be free before the create of this owner: it is held, but only by owners that are not declared, and
   * perhaps by this one, whose replacement archives it.
   */
  mayBecomeFree(owner: Owner, tenant: OwnedTenant): boolean;
  /** Whether another owner that holds the tenant declares a different name for it. */
  givesUpName(owner: Owner, id: number, name: string): boolean;
}

/** Which owners' tenants the engine replaces. */
export interface Replacements {
  /**
   * Records the diff of an owner with the known inputs of the program. A diff before the first check is one of a refresh, perhaps
   * of a tenant whose deletion is pending, and is left out.
   */
  noteDiff(owner: Owner, diff: LastDiff): void;
  /**
   * Whether the tenant is the one that the owner's replacement archives. If the owner's last diff was of another tenant, this one
   * is left of an earlier replacement, whose deletion is pending: then the owner may have it again.
   */
  isReplaced(owner: Owner, id: number): boolean;
  /**
   * Whether the owner's resource keeps the tenant: it is declared, its last diff was of this tenant and asked for no
   * replacement, and none of its checks was as of a new resource, which is how the engine checks a replacement.
   */
  isKept(owner: Owner, id: number): boolean;
  /**
   * Whether the engine creates this resource's replacement before it deletes the old tenant, whose id no call of this
   * operation has had yet. Once a call has it, use {@link isReplaced}.
   */
  isReplacedBeforeDelete(owner: Owner): boolean;
  /** Records that the create would be refused that follows the archiving of what the owner holds. */
  refuseReplacement(owner: Owner): void;
  /** Records that the owner's create has succeeded, whatever {@link refuseReplacement} has recorded. */
  endReplacement(owner: Owner): void;
  /** Whether {@link refuseReplacement} was called, in any process, for an owner that held the tenant then. */
  isReplacementRefused(id: number): boolean;
}

/** Which tenants this operation archives. */
export interface Archivings {
  /**
   * Runs the archiving of the owner's tenant. Meanwhile, no other owner may take the tenant over. Ask again whether one has
   * done so: a process that takes it over at the same moment sees either this or is seen.
   */
  duringArchive<T>(owner: Owner, id: number, archive: () => Promise<T>): Promise<T>;
  /** Records that this operation has archived the tenant, or has found it archived. Lists may be older. */
  findGone(id: number): void;
  /** Whether {@link findGone} was called for the tenant. */
  wasFoundGone(id: number): boolean;
}

/** Why a create cannot take a tenant over. */
export interface TakeOverObstacle {
  /** Another declared owner that has the tenant, or the owner that is archiving it. */
  other: Owner;
  isArchiving: boolean;
}

/** Of which tenant a diff was, and whether it asked for a replacement. */
export interface LastDiff {
  id: number;
  isReplaced: boolean;
}
