import { z } from "zod";
import type { Claims } from "./claims.ts";
import { type LastDiff, type Owner, ownersNamedFor } from "./ownership.ts";

/** The name of an integration's tenant, as all processes know it. */
interface Name {
  integrationId: number;
  nameDigest: string | undefined;
}

/** A declaration as all processes know it. */
interface Declared extends Name {
  adopts: number | undefined;
  hasState: boolean;
  /** Whether the last check was as of a new resource: then the id in `adopts` is still to be taken over. */
  isNew: boolean;
}

/** What all calls of the operation have told about an owner. */
interface KnownOwner {
  declared?: Declared;
  /** The tenants that it holds. */
  ids: Set<number>;
  hasReleased: boolean;
  /** Whether any check was as of a new resource. */
  isCheckedAsNew: boolean;
  lastDiff?: LastDiff;
}

/** What all calls of the operation have told about a tenant. */
interface KnownTenant {
  holders: Set<Owner>;
  /** The owners that declare its id in `adopt`. */
  adopters: Set<Owner>;
  /** The owner whose create took it over, even after a release. */
  takenOverBy?: Owner;
  /** The owner that is archiving it at the moment. */
  archivedBy?: Owner | undefined;
  isGone: boolean;
}

const ownerSchema = z.string();
const idSchema = z.int();
const ofTenant = z.tuple([ownerSchema, idSchema]);

/**
 * What this and the other processes have told about owners and tenants, and the events that tell it.
 *
 * @param claims those of this process's platform.
 */
export function createKnownOwnership(claims: Claims) {
  const owners = new Map<Owner, KnownOwner>();
  const tenants = new Map<number, KnownTenant>();
  const ownersByName = new Map<string, Set<Owner>>();
  const refusedReplacements = new Map<number, Owner>();
  const ownerAt = (owner: Owner) => entryOf(owners, owner, unknownOwner);
  const tenantAt = (id: number) => entryOf(tenants, id, unknownTenant);
  const declaredAs = (name: Name) => entryOf(ownersByName, `${name.integrationId} ${name.nameDigest}`, () => new Set());

  const ownerBy = ownersNamedFor(claims);
  const applyHold = (owner: Owner, id: number) => {
    tenantAt(id).holders.add(owner);
    ownerAt(owner).ids.add(id);
  };
  const declare = claims.define(
    "declare",
    z.tuple([ownerSchema, idSchema, z.string().nullable(), idSchema.nullable(), z.boolean()]),
    (by, itsOwner, integrationId, nameDigest, adopts, isKnown) => {
      const owner = ownerBy(by, itsOwner);
      const known = ownerAt(owner);
      const before = known.declared;
      const declared = {
        integrationId,
        nameDigest: nameDigest ?? undefined,
        adopts: adopts ?? undefined,
        hasState: isKnown || before?.hasState === true,
        isNew: !isKnown,
      };
      known.declared = declared;
      if (!isKnown) known.isCheckedAsNew = true;
      const sameName = declaredAs(declared);
      if (before !== undefined && declaredAs(before) !== sameName) declaredAs(before).delete(owner);
      sameName.add(owner);
      if (before?.adopts !== undefined && before.adopts !== adopts) tenantAt(before.adopts).adopters.delete(owner);
      if (adopts !== null) tenantAt(adopts).adopters.add(owner);
    },
  );
  const hold = claims.define("hold", ofTenant, (by, owner, id) => applyHold(ownerBy(by, owner), id));
  const take = claims.define("take", ofTenant, (by, owner, id) => {
    applyHold(ownerBy(by, owner), id);
    tenantAt(id).takenOverBy = ownerBy(by, owner);
  });
  const release = claims.define("release", ofTenant, (by, itsOwner, id) => {
    const owner = ownerBy(by, itsOwner);
    tenantAt(id).holders.delete(owner);
    const known = ownerAt(owner);
    known.ids.delete(id);
    known.hasReleased = true;
  });
  const startAnew = claims.define("start anew", z.tuple([ownerSchema]), (by, owner) => {
    const { declared } = ownerAt(ownerBy(by, owner));
    if (declared !== undefined) declared.hasState = false;
  });
  const refuseReplacement = claims.define("refuse replacement", ofTenant, (by, owner, id) =>
    refusedReplacements.set(id, ownerBy(by, owner)),
  );
  const endReplacement = claims.define("end replacement", z.tuple([ownerSchema]), (by, owner) => {
    for (const [id, other] of refusedReplacements) if (other === ownerBy(by, owner)) refusedReplacements.delete(id);
  });
  const noteDiff = claims.define("diff", z.tuple([ownerSchema, idSchema, z.boolean()]), (by, owner, id, isReplaced) => {
    ownerAt(ownerBy(by, owner)).lastDiff = { id, isReplaced };
  });
  const beginArchive = claims.define("archive", ofTenant, (by, owner, id) => {
    tenantAt(id).archivedBy = ownerBy(by, owner);
  });
  const endArchive = claims.define("archive ends", z.tuple([idSchema]), (_, id) => {
    tenantAt(id).archivedBy = undefined;
  });
  const findGone = claims.define("gone", z.tuple([idSchema]), (_, id) => {
    tenantAt(id).isGone = true;
  });

  const synced =
    <Asked extends readonly unknown[], Known>(known: (...asked: Asked) => Known) =>
    (...asked: Asked) => {
      claims.sync();
      return known(...asked);
    };

  return {
    ownerNow: synced(ownerAt),
    tenantNow: synced(tenantAt),
    /** The owners that are declared with a name. */
    declaredAs: synced(declaredAs),
    /** The tenants whose replacement would be refused, each with its owner. */
    refusedNow: synced(() => refusedReplacements),
    declare,
    startAnew,
    hold,
    take,
    release,
    noteDiff,
    refuseReplacement,
    endReplacement,
    beginArchive,
    endArchive,
    findGone,
  };
}

function entryOf<Key, Value>(all: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const created = create();
  all.set(key, created);
  return created;
}

function unknownOwner(): KnownOwner {
  return { ids: new Set(), hasReleased: false, isCheckedAsNew: false };
}

function unknownTenant(): KnownTenant {
  return { holders: new Set(), adopters: new Set(), isGone: false };
}
