import type { Owner, Ownership } from "./ownership.ts";

/** Which resource owns which metadata keys of which tenant, within one operation of the engine. */
export interface MetadataOwnership {
  /** Makes the owner own exactly these keys of the tenant's metadata. */
  hold(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /** Like {@link MetadataOwnership.hold}, for the create of a resource. */
  take(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /**
   * Ends the owner's ownership of the tenant's metadata.
   *
   * @returns the keys of other owners, and the keys that any create of this operation took: see {@link Ownership.takerOf}.
   */
  release(owner: Owner, tenantId: number): ReadonlySet<string>;
  /** The keys that other owners own. */
  keysOfOthers(owner: Owner, tenantId: number): ReadonlySet<string>;
  /**
   * Throws an error that names both owners if another declared owner owns the tenant's metadata. A `Tenant` or a fleet owns
   * all of it; a `TenantMetadata` owns its keys.
   */
  refuseRival(owner: Owner, tenantId: number): void;
  /** Runs work on a tenant's metadata after all earlier work on it has ended. */
  exclusively<T>(tenantId: number, work: () => Promise<T>): Promise<T>;
}

export function createMetadataOwnership({ declarationOf }: Pick<Ownership, "declarationOf">): MetadataOwnership {
  const keysByOwner = new Map<number, Map<Owner, ReadonlySet<string>>>();
  const takenKeys = new Map<number, ReadonlySet<string>>();
  const tails = new Map<number, Promise<unknown>>();
  const ownersOf = (tenantId: number) => {
    const owners = keysByOwner.get(tenantId) ?? new Map<Owner, ReadonlySet<string>>();
    keysByOwner.set(tenantId, owners);
    return owners;
  };

  const keysOfOthers = (owner: Owner, tenantId: number) =>
    new Set([...ownersOf(tenantId)].flatMap(([other, keys]) => (other === owner ? [] : [...keys])));
  const hold: MetadataOwnership["hold"] = (owner, tenantId, keys) => ownersOf(tenantId).set(owner, new Set(keys));

  return {
    hold,
    take: (owner, tenantId, keys) => {
      hold(owner, tenantId, keys);
      takenKeys.set(tenantId, new Set([...(takenKeys.get(tenantId) ?? []), ...keys]));
    },
    release: (owner, tenantId) => {
      ownersOf(tenantId).delete(owner);
      return new Set([...keysOfOthers(owner, tenantId), ...(takenKeys.get(tenantId) ?? [])]);
    },
    keysOfOthers,
    refuseRival: (owner, tenantId) => {
      const owners = ownersOf(tenantId);
      const own = owners.get(owner) ?? new Set();
      for (const [other, keys] of owners) {
        if (other === owner || declarationOf(other) === undefined) continue;
        const common = [...own].filter((key) => keys.has(key));
        const areBothMetadata = isMetadata(owner) && isMetadata(other);
        const areBothTenants = !isMetadata(owner) && !isMetadata(other); // Ownership reports these
        if (areBothTenants || (areBothMetadata && common.length === 0)) continue;
        throw new Error(
          `the metadata of tenant ${tenantId} is declared twice, by ${other} and by ${owner}: ` +
            (areBothMetadata
              ? `both have ${common.join(", ")}. Declare each key once`
              : "declare it as `metadata` of the tenant, and use TenantMetadata only for tenants that are managed elsewhere"),
        );
      }
    },
    exclusively: (tenantId, work) => {
      const result = (tails.get(tenantId) ?? Promise.resolve()).then(work);
      tails.set(
        tenantId,
        result.catch(() => undefined),
      );
      return result;
    },
  };
}

function isMetadata(owner: Owner): boolean {
  return owner.startsWith("TenantMetadata ");
}
