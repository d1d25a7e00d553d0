import type { ListTenantsQuery, Tenant } from "../api/index.ts";
import { maxPageSize, type Pages } from "../api/pages.ts";
import { coalesced } from "./coalesced.ts";
import { once } from "./once.ts";

/**
 * How many tenants before and after the expected positions are read too, because others may be created or archived
 * meanwhile. The number of tenants in one read is added to it: an operation that reads many has just changed many.
 */
const windowMargin = 10;

/** Tenants further apart than this many others are read from separate parts. A request costs about as much as reading so many. */
const separateFrom = 100;

/** How many missing tenants are read from a part of the list. After that, the whole list is read again. */
const secondLooksMaximum = 8;

/** The tenants of one or all integrations. The list is read once per operation and updated after each write. */
export interface TenantDirectory {
  /** All live tenants by id, from the first list with later updates. */
  all(): Promise<ReadonlyMap<number, Tenant>>;
  /** The live tenants with a name, from the same list. */
  named(name: string): Promise<Tenant[]>;
  /** A tenant from the same list. If it is missing, a second list and the list of archived tenants are read. */
  get(id: number): Promise<Tenant | undefined>;
  /** A tenant from the list of archived tenants; `undefined` if it is not there. */
  archived(id: number): Promise<Tenant | undefined>;
  /** A tenant from a list that is read after this call began; `undefined` if it does not exist. */
  fetchFresh(id: number): Promise<Tenant | undefined>;
  /** All live tenants by id, from a list that is read after this call began. */
  fetchFreshAll(): Promise<ReadonlyMap<number, Tenant>>;
  /** Whether one list that is read after this call began lacks the tenant, to verify that it was archived. */
  isAbsent(id: number): Promise<boolean>;
  /** The live tenants with a name, from a whole list that is read after this call began. */
  fetchFreshNamed(name: string): Promise<Tenant[]>;
  /**
   * Like {@link TenantDirectory.fetchFreshNamed}, after the response to a POST was lost at `lostAt`. `showsLaterPost` is
   * whether the list has a tenant whose POST began after that, so that the list is newer than the lost POST. Times are from
   * `performance.now()`.
   */
  fetchAfterLostResponse(name: string, lostAt: number): Promise<{ tenants: Tenant[]; showsLaterPost: boolean }>;
  /** Adds a tenant from the response to a POST, and the time when the POST began. */
  created(tenant: Tenant, begunAt: number): void;
  /** Updates a tenant from a read or from the response to a write. */
  set(tenant: Tenant): void;
  /** Removes an archived tenant. */
  delete(id: number): void;
}

/** A tenant after a write; `undefined` if it was archived. */
interface Write {
  id: number;
  tenant: Tenant | undefined;
}

/**
 * Creates the directory of one or all integrations. The API has no GET for a single tenant (specification, Tenants), so each
 * read is a list. Fresh reads of several callers share one list ({@link coalesced}). As the list is sorted by id, they read
 * only the part where the tenants must be.
 */
export function tenantDirectory(pages: Pages<Tenant, ListTenantsQuery>, integrationId?: number): TenantDirectory {
  const of = integrationId === undefined ? {} : { integrationId };
  let live = new Map<number, Tenant>();
  let idsByName = new Map<string, Set<number>>();
  let lists = 0;
  const secondLooks = new Set<Promise<ReadonlyMap<number, Tenant>>>();
  const posts: { id: number; begunAt: number }[] = [];
  /** The writes during each read of the whole list that is under way. */
  const writesDuring = new Set<Write[]>();

  const readAll = async () => {
    const writes: Write[] = [];
    writesDuring.add(writes);
    try {
      const seen = await pages.read(of);
      const latestPostShown = posts.reduce(
        (latest, { id, begunAt }) => (seen.has(id) ? Math.max(latest, begunAt) : latest),
        0,
      );
      const list = onlyLive(seen);
      for (const { id, tenant } of writes) enter(list, id, tenant); // these writes are newer than the list
      live = list;
      idsByName = idsOf(list);
      lists += 1;
      return { list, latestPostShown };
    } finally {
      writesDuring.delete(writes);
    }
  };
  const firstList = once(readAll);
  const nextList = coalesced(async (_: ReadonlySet<"all">) => readAll());
  const archivedList = once(() => pages.read({ ...of, archived: true }));

  const all = async () => {
    await firstList();
    return live;
  };

  const readFresh = coalesced(async (ids: ReadonlySet<number>) => {
    if (pages.isSorted()) await all(); // the list may show that it is not sorted
    if (pages.isSorted()) {
      const parts = await Promise.all(windowsOf(ids, live).map(readWindow));
      const found = parts.flatMap((part) => part ?? []);
      if (found.length === parts.length && pages.isSorted()) return new Map(found.flatMap((part) => [...part]));
      if (pages.isSorted()) return (await nextList("all")).list; // so that the next reads know the positions
    }
    return onlyLive(await pages.read(of, untilFound(ids, pages)));
  });

  /** The tenants of a part of the list; `undefined` if the wanted ones may be before it. */
  const readWindow = async ({ ids, skip, limit }: Window) => {
    const seen = await pages.read({ ...of, skip, limit }, untilFound(ids, pages));
    const isMissed = skip > 0 && Math.min(...seen.keys()) >= Math.min(...ids);
    return isMissed ? undefined : onlyLive(seen);
  };

  /** Reads a missing tenant again: from a part of the list if few are missing, otherwise from one shared whole list. */
  const secondLook = async (id: number) => {
    if (lists > 1) return live.get(id);
    if (secondLooks.size >= secondLooksMaximum) return (await nextList("all")).list.get(id);
    const seen = readFresh(id);
    secondLooks.add(seen); // shared reads return the same promise, so each counts once
    return (await seen).get(id);
  };

  const amongArchived = async (id: number) => {
    const tenant = (await archivedList()).get(id);
    return tenant?.archived === false ? tenant : undefined;
  };

  const write = (id: number, tenant: Tenant | undefined) => {
    for (const writes of writesDuring) writes.push({ id, tenant });
    enter(live, id, tenant);
    if (tenant !== undefined) note(idsByName, tenant);
  };

  const onlyLive = (tenants: ReadonlyMap<number, Tenant>) => {
    const isOurs = ({ integration_id = integrationId }: Tenant) =>
      integrationId === undefined || integration_id === integrationId;
    return new Map([...tenants].filter(([, tenant]) => !tenant.archived && isOurs(tenant)));
  };

  return {
    all,
    named: async (name) => {
      const tenants = await all();
      const ids = [...(idsByName.get(name) ?? [])]; // some may have been renamed
      return ids.flatMap((id) => tenants.get(id) ?? []).filter((tenant) => tenant.name === name);
    },
    get: async (id) => (await all()).get(id) ?? (await secondLook(id)) ?? amongArchived(id),
    fetchFresh: async (id) =>
      (await readFresh(id)).get(id) ?? (await nextList("all")).list.get(id) ?? amongArchived(id),
    archived: async (id) => (await archivedList()).get(id),
    fetchFreshAll: async () => (await nextList("all")).list,
    isAbsent: async (id) => !(await readFresh(id)).has(id),
    fetchFreshNamed: async (name) => ofName(name, (await nextList("all")).list),
    fetchAfterLostResponse: async (name, lostAt) => {
      const { list, latestPostShown } = await nextList("all");
      return { tenants: ofName(name, list), showsLaterPost: latestPostShown > lostAt };
    },
    created: (tenant, begunAt) => {
      posts.push({ id: tenant.id, begunAt });
      write(tenant.id, tenant);
    },
    set: (tenant) => write(tenant.id, tenant),
    delete: (id) => write(id, undefined),
  };
}

function ofName(name: string, tenants: ReadonlyMap<number, Tenant>): Tenant[] {
  return [...tenants.values()].filter((tenant) => tenant.name === name);
}

function enter(tenants: Map<number, Tenant>, id: number, tenant: Tenant | undefined) {
  if (tenant === undefined) tenants.delete(id);
  else tenants.set(id, tenant);
}

/** The ids of the tenants by name, as a program with thousands of tenants looks each of them up by name. */
function idsOf(tenants: ReadonlyMap<number, Tenant>): Map<string, Set<number>> {
  const ids = new Map<string, Set<number>>();
  for (const tenant of tenants.values()) note(ids, tenant);
  return ids;
}

function note(idsByName: Map<string, Set<number>>, { id, name }: Tenant) {
  const ids = idsByName.get(name);
  if (ids === undefined) idsByName.set(name, new Set([id]));
  else ids.add(id);
}

/** A predicate that ends a read once all ids were found or, in a sorted list, once none of them can follow. */
function untilFound(ids: ReadonlySet<number>, pages: Pages<Tenant, ListTenantsQuery>) {
  const missing = new Set(ids);
  const highest = Math.max(...ids);
  return (page: readonly Tenant[]) => {
    for (const { id } of page) missing.delete(id);
    return missing.size === 0 || (pages.isSorted() && (page.at(-1)?.id ?? 0) > highest);
  };
}

/** A part of a list sorted by id. */
interface Window {
  /** The tenants to find in it. */
  ids: ReadonlySet<number>;
  skip: number;
  limit: number;
}

/**
 * The parts of a list sorted by id that have or would have the ids, with a margin on both sides. Ids that are far from each
 * other are in different parts: the engine deletes resources in any order, and one part for all would be most of the list.
 */
function windowsOf(ids: ReadonlySet<number>, known: ReadonlyMap<number, Tenant>): Window[] {
  const margin = windowMargin + ids.size;
  const windows: { ids: Set<number>; first: number; end: number }[] = [];
  for (const { id, position } of positionsOf(ids, known)) {
    const last = windows.at(-1);
    if (last !== undefined && position - last.end <= separateFrom && position - last.first < maxPageSize - 2 * margin) {
      last.ids.add(id);
      last.end = position + 1;
    } else windows.push({ ids: new Set([id]), first: position, end: position + 1 });
  }
  return windows.map(({ ids, first, end }) => {
    const skip = Math.max(0, first - margin);
    return { ids, skip, limit: Math.min(maxPageSize, end + margin - skip) };
  });
}

/** The ids in ascending order, each with the number of known ids below it. */
function positionsOf(ids: ReadonlySet<number>, known: ReadonlyMap<number, Tenant>) {
  const sorted = [...ids].toSorted((left, right) => left - right);
  const counts = sorted.map(() => 0);
  for (const knownId of known.keys()) {
    const above = sorted.findIndex((id) => knownId < id);
    if (above >= 0) counts[above] = (counts[above] ?? 0) + 1;
  }
  let position = 0;
  return sorted.map((id, index) => {
    position += counts[index] ?? 0;
    return { id, position };
  });
}
