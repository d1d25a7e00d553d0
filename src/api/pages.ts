import { ConfigurationError, ValidationError } from "./errors.ts";

/** Orders and pages a list (specification, "Integrations" and "Tenants"). */
export interface ListQuery {
  /** True lists the archived records instead of the others. Default false. */
  archived?: boolean | undefined;
  /** The fields that the platform can sort by are not documented. */
  sortBy?: { field: string; direction: "ASC" | "DESC" } | undefined;
  /** Records of a page, at most 500. */
  limit?: number | undefined;
  /** Records to skip. Default 0. */
  skip?: number | undefined;
}

/** The query parameters of the API; undefined ones are not sent. */
export function pageQuery({ archived, sortBy, limit, skip }: ListQuery) {
  const sort_by = sortBy === undefined ? undefined : `${sortBy.field}__${sortBy.direction}`;
  return { archived, sort_by, limit, skip };
}

/** The largest page of the API (specification, "Limits"). */
export const maxPageSize = 500;

/** How often one read of a list goes back because records moved meanwhile. */
const maxStepsBack = 5;

/** How many pages without a new record one read of a list goes through in a row. */
const maxStalePages = 20;

/** Reads whole lists of the API. Later reads use what earlier ones showed of the server: its page size, and whether it sorts. */
export interface Pages<Item, Query> {
  /**
   * The records in the server's order, each id once, from `skip` on; `limit` is the size of a page, default 500.
   *
   * @throws ConfigurationError for a page size that is not a positive integer.
   */
  each(query: Query): AsyncIterable<Item>;
  /**
   * The records by their ids, in ascending order where the platform sorts. Where two pages hold one id, the later page wins.
   *
   * @param isEnough called after each page, with that page; true ends the read. Default: reads to the end.
   */
  read(query: Query, isEnough?: (page: readonly Item[]) => boolean): Promise<Map<number, Item>>;
  /** False once the platform has refused or ignored the request to sort: a record's position then says nothing about its id. */
  isSorted(): boolean;
}

/**
 * Creates the paginator of a list. The specification promises neither full pages nor a list that does not change, so:
 *
 * - A page shorter than `limit` is the last one only if an earlier page of this server was longer. Otherwise the next page is
 *   read, until one is empty or has the records of the page before: the server may send shorter pages than requested. A page
 *   that only lacks new records is not the end, as others may have come to the front of the list meanwhile.
 * - Pages overlap by one record. If that record is gone, the list has shifted (somebody archived a tenant), and the page
 *   before is read again. An unsorted list is read again from its start, as records may move anywhere in it.
 */
export function createPages<Item extends { id: number }, Query extends ListQuery>(
  listPage: (query: Query) => Promise<Item[]>,
): Pages<Item, Query> {
  let longestPage = 0;
  let isSortAccepted = true;
  let isSorted = true;

  /** Yields page after page, to the end of the list. */
  async function* walk(
    pageAt: (limit: number, skip: number) => Promise<Item[]>,
    { limit = maxPageSize, skip: firstSkip = 0 }: ListQuery,
    isOrdered: () => boolean,
  ): AsyncGenerator<Item[], void, void> {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new ConfigurationError(`limit: must be an integer of at least 1, not ${limit}; no request was sent.`);
    }
    const seen = new Set<number>();
    let pageBefore: readonly Item[] = [];
    let stalePages = 0;
    let skip = firstSkip;
    let lastId: number | undefined;
    let stepsBack = 0;
    let farthest = skip;
    for (;;) {
      const page = await pageAt(limit, skip);
      const hasNewRecord = page.some(({ id }) => !seen.has(id));
      for (const { id } of page) seen.add(id);
      stalePages = hasNewRecord ? 0 : stalePages + 1;
      yield page;
      if (hasShifted(page, lastId, isOrdered()) && stepsBack < maxStepsBack) {
        stepsBack += 1;
        farthest = Math.max(farthest, skip + page.length);
        skip = isOrdered() ? Math.max(firstSkip, skip - pageBefore.length) : firstSkip;
        lastId = undefined;
        continue;
      }
      const isProvenEnd = page.length < limit && page.length < longestPage;
      longestPage = Math.max(longestPage, page.length);
      const isRepeated = stalePages > maxStalePages || hasSameRecords(page, pageBefore);
      const isStuck = isRepeated && skip + page.length > farthest;
      if (page.length === 0 || isProvenEnd || isStuck) return;
      pageBefore = page;
      farthest = Math.max(farthest, skip + page.length);
      const overlap = page.length > 1 ? 1 : 0;
      lastId = overlap === 1 ? page.at(-1)?.id : undefined;
      skip += page.length - overlap;
    }
  }

  async function* eachOnce(query: Query): AsyncGenerator<Item, void, void> {
    const yielded = new Set<number>();
    // Taken as ordered, whatever order the caller asked for: going back to the start would yield nothing new.
    for await (const page of walk(
      (limit, skip) => listPage({ ...query, limit, skip }),
      query,
      () => true,
    )) {
      for (const item of page) {
        if (yielded.has(item.id)) continue;
        yielded.add(item.id);
        yield item;
      }
    }
  }

  async function readPage(query: Query): Promise<Item[]> {
    if (!isSortAccepted) return listPage(query);
    try {
      return await listPage({ ...query, sortBy: { field: "id", direction: "ASC" } });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      isSortAccepted = false; // the specification does not name the fields to sort by
      isSorted = false;
      return listPage(query);
    }
  }

  async function read(query: Query, isEnough?: (page: readonly Item[]) => boolean): Promise<Map<number, Item>> {
    const records = new Map<number, Item>();
    const pageAt = (limit: number, skip: number) => readPage({ ...query, limit, skip });
    for await (const page of walk(pageAt, query, () => isSorted)) {
      if (!isAscending(page)) isSorted = false;
      for (const item of page) records.set(item.id, item);
      if (isEnough?.(page) === true) break;
    }
    return records;
  }

  return { each: (query) => ({ [Symbol.asyncIterator]: () => eachOnce(query) }), read, isSorted: () => isSorted };
}

/** Whether the last record of the page before has left its place. In an ordered list it may be anywhere in this page. */
function hasShifted(page: readonly { id: number }[], lastId: number | undefined, isOrdered: boolean): boolean {
  if (lastId === undefined) return false;
  return isOrdered ? !page.some(({ id }) => id === lastId) : page[0]?.id !== lastId;
}

/** Whether two pages have the same records, in any order. */
function hasSameRecords(page: readonly { id: number }[], other: readonly { id: number }[]): boolean {
  const ids = new Set(page.map(({ id }) => id));
  return page.length === other.length && other.every(({ id }) => ids.has(id));
}

function isAscending(page: readonly { id: number }[]): boolean {
  return page.every(({ id }, index) => index === 0 || id > (page[index - 1]?.id ?? id));
}

/** The records of an async iterable that pass a test. */
export async function filterAll<Item>(
  records: AsyncIterable<Item>,
  isWanted: (record: Item) => boolean,
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const record of records) if (isWanted(record)) found.push(record);
  return found;
}
