import type { Owner, Ownership } from "./ownership.ts";

/** Which resource answers for which metadata keys of which tenant, within one operation of the engine. */
export interface MetadataOwnership {
  /** The owner answers for these keys of the tenant's metadata, and for no others. */
  hold(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /** The owner answers for these keys, as a create of this operation has declared them. */
  take(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /**
   * The owner no longer does.
   *
   * @returns the keys that other owners answer for, and those that a create of this operation took, whatever the name of
   * its owner: see {@link Ownership.takerOf}.
   */
  release(owner: Owner, tenantId: number): ReadonlySet<string>;
  /** The keys that other owners answer for. */
  keysOfOthers(owner: Owner, tenantId: number): ReadonlySet<string>;
  /**
   * @throws Error that names both, where another owner that the program declares answers for the tenant's metadata: a
   * `Tenant` or a fleet for all of it, another `TenantMetadata` for the same key.
   */
  refuseRival(owner: Owner, tenantId: number): void;
  /** Runs work that reads and writes a tenant's metadata while no other work does. */
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
        const areBothTenants = !isMetadata(owner) && !isMetadata(other); // their ids are told apart elsewhere
        if (areBothTenants || (areBothMetadata && common.length === 0)) continue;
        throw new Error(
          `the metadata of tenant ${tenantId} is declared twice, by ${other} and by ${owner}: ` +
            (areBothMetadata
              ? `both have ${common.join(", ")}. Declare each key once`
              : "keep `metadata` of the tenant, and use TenantMetadata only for tenants that are managed elsewhere"),
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
