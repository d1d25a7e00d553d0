import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { shortList } from "../json/short-list.ts";
import { type Claims, onOwnPlatform } from "./claims.ts";
import type { Locks } from "./locks.ts";
import { type Owner, type Ownership, ownersNamedFor } from "./ownership.ts";
import { shortDigest } from "./short-digest.ts";

/** Keys of metadata. Those of other processes are known only by their digests. */
export interface Keys {
  size: number;
  has(key: string): boolean;
}

/** Which resource owns which metadata keys of which tenant, within one operation of the engine, in all of its processes. */
export interface MetadataOwnership {
  /** Makes the owner own exactly these keys of the tenant's metadata. */
  hold(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /** Like {@link MetadataOwnership.hold}, for the create of a resource. */
  take(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /**
   * Ends the owner's ownership of the tenant's metadata.
   *
   * @returns the keys of other owners, and the keys that any create of this operation took.
   */
  release(owner: Owner, tenantId: number): Keys;
  /**
   * The keys that other owners own. A `Tenant` or a fleet owns all metadata of its tenant, so another of these is its former
   * name, which an alias has changed.
   */
  keysOfOthers(owner: Owner, tenantId: number): Keys;
  /**
   * Throws an error that names both owners if another declared owner owns the tenant's metadata. A `Tenant` or a fleet owns
   * all of it; a `TenantMetadata` owns its keys.
   *
   * @param keys the owner's keys.
   */
  refuseSecondOwner(owner: Owner, tenantId: number, keys: readonly string[]): void;
  /** Runs work on a tenant's metadata after all earlier work on it has ended. */
  exclusively<T>(tenantId: number, work: () => Promise<T>): Promise<T>;
}

const ofKeys = z.tuple([z.string(), z.int(), z.array(z.string())]);

export function createMetadataOwnership(
  allClaims: Claims,
  { isDeclared }: Pick<Ownership, "isDeclared">,
  { exclusively }: Pick<Locks, "exclusively">,
): MetadataOwnership {
  const claims = onOwnPlatform(allClaims);
  const keysByOwner = new Map<number, Map<Owner, ReadonlySet<string>>>();
  const takenKeys = new Map<number, ReadonlySet<string>>();
  const ownerBy = ownersNamedFor(claims);
  const ownersOf = (tenantId: number) => {
    const owners = keysByOwner.get(tenantId) ?? new Map<Owner, ReadonlySet<string>>();
    keysByOwner.set(tenantId, owners);
    return owners;
  };

  const addHold = claims.define("hold metadata", ofKeys, (by, owner, tenantId, keys) => {
    ownersOf(tenantId).set(ownerBy(by, owner), new Set(keys));
  });
  const addTake = claims.define("take metadata", ofKeys, (by, owner, tenantId, keys) => {
    ownersOf(tenantId).set(ownerBy(by, owner), new Set(keys));
    takenKeys.set(tenantId, new Set([...(takenKeys.get(tenantId) ?? []), ...keys]));
  });
  const addRelease = claims.define("release metadata", z.tuple([z.string(), z.int()]), (by, owner, tenantId) => {
    keysByOwner.get(tenantId)?.delete(ownerBy(by, owner));
  });

  const ofOthers = (owner: Owner, tenantId: number) => {
    claims.sync();
    const owners = keysByOwner.get(tenantId) ?? [];
    const isOther = (other: Owner) => other !== owner && (isMetadata(owner) || isMetadata(other));
    return [...owners].flatMap(([other, keys]) => (isOther(other) ? [...keys] : []));
  };

  return {
    hold: (owner, tenantId, keys) => {
      claims.sync();
      const digests = new Set(keys.map(shortDigest));
      const held = keysByOwner.get(tenantId)?.get(owner);
      // a read, a diff and an update hold them again, and the file is to stay small
      if (held === undefined || !isDeepStrictEqual(held, digests)) addHold(owner, tenantId, [...digests]);
    },
    take: (owner, tenantId, keys) => addTake(owner, tenantId, keys.map(shortDigest)),
    release: (owner, tenantId) => {
      claims.sync();
      if (keysByOwner.get(tenantId)?.has(owner)) addRelease(owner, tenantId);
      return keysOf([...ofOthers(owner, tenantId), ...(takenKeys.get(tenantId) ?? [])]);
    },
    keysOfOthers: (owner, tenantId) => keysOf(ofOthers(owner, tenantId)),
    refuseSecondOwner: (owner, tenantId, ownKeys) => {
      claims.sync();
      for (const [other, keys] of keysByOwner.get(tenantId) ?? []) {
        if (other === owner || !isDeclared(other)) continue;
        const common = ownKeys.filter((key) => keys.has(shortDigest(key)));
        const areBothMetadata = isMetadata(owner) && isMetadata(other);
        const areBothTenants = !isMetadata(owner) && !isMetadata(other); // Ownership reports these
        if (areBothTenants || (areBothMetadata && common.length === 0)) continue;
        throw new Error(
          `the metadata of tenant ${tenantId} is declared twice, by ${other} and by ${owner}: ` +
            (areBothMetadata
              ? `both have ${shortList(common)}. Declare each key once`
              : "declare it as `metadata` of the tenant, and use TenantMetadata only for tenants that are managed elsewhere"),
        );
      }
    },
    exclusively: (tenantId, work) => exclusively(`metadata of tenant ${tenantId}`, work),
  };
}

function keysOf(digests: readonly string[]): Keys {
  const known = new Set(digests);
  return { size: known.size, has: (key) => known.has(shortDigest(key)) };
}

function isMetadata(owner: Owner): boolean {
  return owner.startsWith("TenantMetadata ");
}
