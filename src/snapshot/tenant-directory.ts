import type { ListTenantsQuery, Tenant } from "../api/index.ts";
import { maxPageSize, type Pages } from "../api/pages.ts";
import { once } from "./once.ts";
import { waves } from "./waves.ts";

/**
 * How far from its remembered position a tenant is looked for, in tenants: others come and go meanwhile. Those that are
 * looked for together count too, as who looks for many has just made or archived as many.
 */
const windowMargin = 20;

/** How many looks for missing tenants read only their places, before the whole list is read again. */
const secondLooksMaximum = 8;

/** The tenants of one integration, or of all: read once per operation, shared by every reader, kept true by the writers. */
export interface TenantDirectory {
  /** All live tenants by id, from the list that was read first and has been kept true since. */
  all(): Promise<ReadonlyMap<number, Tenant>>;
  /** The live tenants of a name, from the same list. */
  named(name: string): Promise<Tenant[]>;
  /**
   * A tenant from the same list. A missing one is looked for in a second list and among the archived before it is
   * called gone: then `undefined`.
   */
  get(id: number): Promise<Tenant | undefined>;
  /** A tenant from the list of the archived; `undefined` where that has none of this id. */
  archived(id: number): Promise<Tenant | undefined>;
  /** A tenant from a list that is read after this call began; `undefined` as with {@link TenantDirectory.get}. */
  observe(id: number): Promise<Tenant | undefined>;
  /** Whether a list that is read after this call began is without the tenant. One look, for who has just archived it. */
  isAbsent(id: number): Promise<boolean>;
  /** The live tenants of a name, from a whole list that is read after this call began. */
  observeNamed(name: string): Promise<Tenant[]>;
  /**
   * The same for the tenant of a POST whose answer was lost at `lostAt`, and whether the list shows a tenant whose own POST
   * began after that: such a list is newer than the lost POST. Times as of `performance.now()`.
   */
  observeLost(name: string, lostAt: number): Promise<{ tenants: Tenant[]; showsLaterPost: boolean }>;
  /** Enters a tenant that the platform answered a POST with, and when that POST began. */
  created(tenant: Tenant, begunAt: number): void;
  /** Enters what the platform answered to a write. */
  put(tenant: Tenant): void;
  /** Takes out a tenant that was archived. */
  drop(id: number): void;
}

/**
 * There is no request for a single tenant (specification, Tenants): every read is a list. Fresh reads of several callers
 * are served together ({@link waves}), and read only the part of the list where the tenants must stand, as it is sorted
 * by id.
 */
export function tenantDirectory(pages: Pages<Tenant, ListTenantsQuery>, integrationId?: number): TenantDirectory {
  const of = integrationId === undefined ? {} : { integrationId };
  let live = new Map<number, Tenant>();
  let idsByName = new Map<string, Set<number>>();
  let lists = 0;
  const secondLooks = new Set<Promise<ReadonlyMap<number, Tenant>>>();
  const posts: { id: number; begunAt: number }[] = [];
  const writes: { id: number; tenant: Tenant | undefined }[] = [];

  const readAll = async () => {
    const writesBefore = writes.length;
    const seen = await pages.read(of);
    const latestPostShown = posts.reduce(
      (latest, { id, begunAt }) => (seen.has(id) ? Math.max(latest, begunAt) : latest),
      0,
    );
    const list = onlyLive(seen);
    for (const { id, tenant } of writes.slice(writesBefore)) enter(list, id, tenant); // newer than what was read
    live = list;
    idsByName = idsOf(list);
    lists += 1;
    return { list, latestPostShown };
  };
  const firstList = once(readAll);
  const nextList = waves(async (_: ReadonlySet<"all">) => readAll());
  const archivedList = once(() => pages.read({ ...of, archived: true }));

  const all = async () => {
    await firstList();
    return live;
  };

  const look = waves(async (ids: ReadonlySet<number>) => {
    if (pages.isSorted()) await all(); // it may show that the order is another
    const isPart = pages.isSorted();
    const part = isPart ? windowOf(ids, live) : { skip: 0 };
    const seen = await pages.read({ ...of, ...part }, untilFound(ids, pages));
    const isMissed = part.skip > 0 && Math.min(...seen.keys()) >= Math.min(...ids);
    if (!isMissed && pages.isSorted() === isPart) return onlyLive(seen);
    return onlyLive(await pages.read(of, untilFound(ids, pages)));
  });

  /** Where few are missing, only their places are read again; where many are, the whole list is, once for all of them. */
  const secondLook = async (id: number) => {
    if (lists > 1) return live.get(id);
    if (secondLooks.size >= secondLooksMaximum) return (await nextList("all")).list.get(id);
    const seen = look(id);
    secondLooks.add(seen); // the same for all who look together
    return (await seen).get(id);
  };

  const amongArchived = async (id: number) => {
    const tenant = (await archivedList()).get(id);
    return tenant?.archived === false ? tenant : undefined;
  };

  const write = (id: number, tenant: Tenant | undefined) => {
    writes.push({ id, tenant });
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
      const ids = [...(idsByName.get(name) ?? [])]; // some may bear another name by now
      return ids.flatMap((id) => tenants.get(id) ?? []).filter((tenant) => tenant.name === name);
    },
    get: async (id) => (await all()).get(id) ?? (await secondLook(id)) ?? amongArchived(id),
    observe: async (id) => (await look(id)).get(id) ?? (await nextList("all")).list.get(id) ?? amongArchived(id),
    archived: async (id) => (await archivedList()).get(id),
    isAbsent: async (id) => !(await look(id)).has(id),
    observeNamed: async (name) => ofName(name, (await nextList("all")).list),
    observeLost: async (name, lostAt) => {
      const { list, latestPostShown } = await nextList("all");
      return { tenants: ofName(name, list), showsLaterPost: latestPostShown > lostAt };
    },
    created: (tenant, begunAt) => {
      posts.push({ id: tenant.id, begunAt });
      write(tenant.id, tenant);
    },
    put: (tenant) => write(tenant.id, tenant),
    drop: (id) => write(id, undefined),
  };
}

function ofName(name: string, tenants: ReadonlyMap<number, Tenant>): Tenant[] {
  return [...tenants.values()].filter((tenant) => tenant.name === name);
}

function enter(tenants: Map<number, Tenant>, id: number, tenant: Tenant | undefined) {
  if (tenant === undefined) tenants.delete(id);
  else tenants.set(id, tenant);
}

/** The ids of the tenants of each name: a program of thousands asks for each of their names. */
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

/** Ends a reading once all ids were found, or, in a sorted list, once none of them can follow. */
function untilFound(ids: ReadonlySet<number>, pages: Pages<Tenant, ListTenantsQuery>) {
  const missing = new Set(ids);
  const highest = Math.max(...ids);
  return (page: readonly Tenant[]) => {
    for (const { id } of page) missing.delete(id);
    return missing.size === 0 || (pages.isSorted() && (page.at(-1)?.id ?? 0) > highest);
  };
}

/** The part of a list sorted by id in which the ids stand, or would stand, with a margin on either side. */
function windowOf(ids: ReadonlySet<number>, known: ReadonlyMap<number, Tenant>): { skip: number; limit: number } {
  const lowest = Math.min(...ids);
  const highest = Math.max(...ids);
  let before = 0;
  let within = 0;
  for (const id of known.keys()) {
    if (id < lowest) before += 1;
    else if (id <= highest) within += 1;
  }
  const margin = windowMargin + ids.size;
  const skip = Math.max(0, before - margin);
  return { skip, limit: Math.min(maxPageSize, before - skip + within + margin) };
}
