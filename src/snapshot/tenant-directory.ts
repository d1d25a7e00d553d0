import type { ListTenantsQuery, Tenant } from "../api/index.ts";
import type { Pages } from "../api/pages.ts";
import { coalesced } from "./coalesced.ts";
import { type Window, windowsOf } from "./list-windows.ts";
import { once } from "./once.ts";

/** How many reads of parts of the list look for missing tenants. After these, the whole list is read again. */
const secondReadsMaximum = 8;

/** The tenants of one or all integrations. The list is read once per operation and updated after each write. */
export interface TenantDirectory {
  /** All live tenants by id, from the first list with later updates. */
  all(): Promise<ReadonlyMap<number, Tenant>>;
  /**
   * The live tenants with a name, from the same list.
   *
   * @param ageSecondsMaximum the maximum age of that list; an older one is read again. Default: no maximum.
   */
  named(name: string, ageSecondsMaximum?: number): Promise<Tenant[]>;
  /**
   * A tenant from the same list. If it is missing, the list is read a second time, in whole or in part, and then the list of
   * archived tenants. `undefined` if the tenant is archived or does not exist.
   */
  get(id: number): Promise<Tenant | undefined>;
  /**
   * A tenant from the list of archived tenants, which is read once; `undefined` if it is not there. Some platforms also list
   * live tenants there.
   */
  archived(id: number): Promise<Tenant | undefined>;
  /** The list of archived tenants by id, from a list that is read after this call began. */
  fetchFreshArchived(): Promise<ReadonlyMap<number, Tenant>>;
  /**
   * A live tenant from a list that is read after this call began; `undefined` if it is archived or does not exist. If such a
   * list lacks the tenant, this also looks into the list of archived tenants, where some platforms list live tenants too. That
   * list may be older than this call, because it is read only once.
   */
  fetchFresh(id: number): Promise<Tenant | undefined>;
  /** All live tenants by id, from a list that is read after this call began. */
  fetchFreshAll(): Promise<ReadonlyMap<number, Tenant>>;
  /** Whether a list that is read after this call began lacks the tenant. This verifies that the tenant was archived. */
  isAbsent(id: number): Promise<boolean>;
  /** The live tenants with a name, from a whole list that is read after this call began. */
  fetchFreshNamed(name: string): Promise<Tenant[]>;
  /**
   * Like {@link TenantDirectory.fetchFreshNamed}, after the response to a POST was lost at the time `lostAt`. Times are from
   * `performance.now()`. `showsLaterPost` is true if the list has a tenant whose POST began after `lostAt`, so that the list is
   * newer than the lost POST.
   */
  fetchAfterLostResponse(name: string, lostAt: number): Promise<{ tenants: Tenant[]; showsLaterPost: boolean }>;
  /** Adds a tenant from the response to a POST, and the time when the POST began. */
  created(tenant: Tenant, begunAt: number): void;
  /** Updates a tenant from a read or from the response to a write. */
  set(tenant: Tenant): void;
  /** Notes that a tenant is going to be archived, so that lists read from now on may lack it. */
  willArchive(id: number): void;
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
 *
 * @param onWrite is told each update, with `undefined` for a tenant that was archived.
 */
export function tenantDirectory(
  pages: Pages<Tenant, ListTenantsQuery>,
  integrationId?: number,
  onWrite?: (id: number, tenant: Tenant | undefined) => void,
): TenantDirectory {
  const query = integrationId === undefined ? {} : { integrationId };
  let live = new Map<number, Tenant>();
  let idsByName = new Map<string, Set<number>>();
  /** How often the whole list was read, and when the last one was there. */
  let listsRead = 0;
  let listedAt = 0;
  const secondReads = new Set<Promise<ReadonlyMap<number, Tenant>>>();
  /** The tenants that this operation has created, and when their POSTs began. */
  const posts: { id: number; begunAt: number }[] = [];
  /** The live tenants whose archiving has begun. */
  const leaving = new Set<number>();
  /** The tenants that this operation has archived. The list of archived tenants may be older, and show them as live. */
  const archivedHere = new Set<number>();
  /** For each read of the whole list that is under way, the writes since it began. */
  const writesDuring = new Set<Write[]>();

  const readAll = async () => {
    const writes: Write[] = [];
    writesDuring.add(writes);
    try {
      const seen = await pages.read(query);
      const latestPostShown = posts.reduce(
        (latest, { id, begunAt }) => (seen.has(id) ? Math.max(latest, begunAt) : latest),
        0,
      );
      const list = onlyLive(seen);
      for (const { id, tenant } of writes) apply(list, id, tenant); // these writes are newer than the list
      for (const id of leaving) if (!list.has(id)) leaving.delete(id);
      live = list;
      idsByName = idsByNameIn(list);
      listsRead += 1;
      listedAt = performance.now();
      return { list, latestPostShown };
    } finally {
      writesDuring.delete(writes);
    }
  };
  const firstList = once(readAll);
  const nextList = coalesced(async (_: ReadonlySet<"all">) => readAll()); // one key, as all callers want the same list
  const readArchived = () => pages.read({ ...query, archived: true });
  const archivedList = once(readArchived);

  const all = async () => {
    await firstList();
    return live;
  };

  /** Reads tenants: from parts of a sorted list, otherwise from the start of the list until all of them are found. */
  const readFresh = coalesced(async (ids: ReadonlySet<number>) => {
    if (pages.isSorted()) await all(); // after this read, isSorted may be false
    if (pages.isSorted()) {
      const parts = await Promise.all(windowsOf(ids, live, leaving).map(readWindow));
      const usable = parts.flatMap((part) => part ?? []);
      if (usable.length === parts.length && pages.isSorted()) return new Map(usable.flatMap((part) => [...part]));
      if (pages.isSorted()) return (await nextList("all")).list; // so that the next reads know the positions
    }
    return onlyLive(await pages.read(query, untilFound(ids, pages)));
  });

  /** The live tenants of a part of the list; `undefined` if the wanted ones may be before this part. */
  const readWindow = async ({ ids, skip, limit }: Window) => {
    const seen = await pages.read({ ...query, skip, limit }, untilFound(ids, pages));
    const isMissed = skip > 0 && Math.min(...seen.keys()) >= Math.min(...ids);
    return isMissed ? undefined : onlyLive(seen);
  };

  /**
   * Reads a tenant again that the first list lacks: from a part of the list if few are missing, otherwise from one shared whole
   * list. If the whole list was already read a second time, there is no further read.
   */
  const readAgain = async (id: number) => {
    if (listsRead > 1) return live.get(id);
    if (secondReads.size >= secondReadsMaximum) return (await nextList("all")).list.get(id);
    const seen = readFresh(id);
    secondReads.add(seen); // shared reads return the same promise, so each counts once
    return (await seen).get(id);
  };

  /** A live tenant that the platform lists among the archived ones. */
  const liveAmongArchived = async (id: number) => {
    if (archivedHere.has(id)) return undefined;
    const tenant = (await archivedList()).get(id);
    return tenant?.archived === false ? tenant : undefined;
  };

  const write = (id: number, tenant: Tenant | undefined) => {
    for (const writes of writesDuring) writes.push({ id, tenant });
    apply(live, id, tenant);
    if (tenant !== undefined) addName(idsByName, tenant);
    onWrite?.(id, tenant);
  };

  const onlyLive = (tenants: ReadonlyMap<number, Tenant>) => {
    const isOurs = ({ integration_id = integrationId }: Tenant) =>
      integrationId === undefined || integration_id === integrationId;
    return new Map([...tenants].filter(([, tenant]) => !tenant.archived && isOurs(tenant)));
  };

  return {
    all,
    named: async (name, ageSecondsMaximum = Number.POSITIVE_INFINITY) => {
      await all();
      if (performance.now() - listedAt > ageSecondsMaximum * 1000) await nextList("all");
      const tenants = live;
      const ids = [...(idsByName.get(name) ?? [])]; // some may have another name by now
      return ids.flatMap((id) => tenants.get(id) ?? []).filter((tenant) => tenant.name === name);
    },
    get: async (id) => (await all()).get(id) ?? (await readAgain(id)) ?? liveAmongArchived(id),
    fetchFresh: async (id) =>
      (await readFresh(id)).get(id) ?? (await nextList("all")).list.get(id) ?? liveAmongArchived(id),
    archived: async (id) => (await archivedList()).get(id),
    fetchFreshArchived: readArchived,
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
    willArchive: (id) => void leaving.add(id),
    delete: (id) => {
      leaving.delete(id);
      archivedHere.add(id);
      write(id, undefined);
    },
  };
}

function ofName(name: string, tenants: ReadonlyMap<number, Tenant>): Tenant[] {
  return [...tenants.values()].filter((tenant) => tenant.name === name);
}

/** Applies a write to a list: sets the tenant, or removes it if it was archived. */
function apply(tenants: Map<number, Tenant>, id: number, tenant: Tenant | undefined) {
  if (tenant === undefined) tenants.delete(id);
  else tenants.set(id, tenant);
}

/** The ids of the tenants by name. A program with thousands of tenants looks each of them up by its name. */
function idsByNameIn(tenants: ReadonlyMap<number, Tenant>): Map<string, Set<number>> {
  const ids = new Map<string, Set<number>>();
  for (const tenant of tenants.values()) addName(ids, tenant);
  return ids;
}

function addName(idsByName: Map<string, Set<number>>, { id, name }: Tenant) {
  const ids = idsByName.get(name);
  if (ids === undefined) idsByName.set(name, new Set([id]));
  else ids.add(id);
}

/** A predicate that ends a read once all ids were found, or once none of them can follow in a sorted list. */
function untilFound(ids: ReadonlySet<number>, pages: Pages<Tenant, ListTenantsQuery>) {
  const missing = new Set(ids);
  const highest = Math.max(...ids);
  return (page: readonly Tenant[]) => {
    for (const { id } of page) missing.delete(id);
    return missing.size === 0 || (pages.isSorted() && (page.at(-1)?.id ?? 0) > highest);
  };
}
