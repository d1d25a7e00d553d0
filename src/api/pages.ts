import { ConfigurationError, ValidationError } from "./errors.ts";
import type { ListQuery } from "./list-query.ts";

/** The largest page that the API gives (specification, "Limits"). */
export const maxPageSize = 500;

/** How often one reading of a list goes back because the list has shifted meanwhile. */
const stepsBackMaximum = 5;

/** A list of the API, whole. What one reading shows of the server's pages serves all later ones. */
export interface Pages<Item, Query> {
  /**
   * The records in the server's order, each id once, from `skip` on; `limit` is the size of a page, default 500.
   *
   * @throws ConfigurationError for a page size that is not a positive integer.
   */
  each(query: Query): AsyncGenerator<Item, void, void>;
  /**
   * The records by id, in ascending order where the platform sorts; the records of the last page win.
   *
   * @param isEnough asked after each page, with that page: true ends the reading. Default: to the end.
   */
  read(query: Query, isEnough?: (page: readonly Item[]) => boolean): Promise<Map<number, Item>>;
  /** False once the platform has refused to sort, or has ignored it: positions then say nothing about ids. */
  isSorted(): boolean;
}

/**
 * The one paginator. The specification promises neither full pages nor a list that stands still, so:
 *
 * - A page with fewer records than asked for is the last only if an earlier page of this server was longer. Otherwise one more
 *   page is asked for, until a page brings nothing new: the server may give fewer records than asked for.
 * - Pages overlap by one record. If that record is not there any more, the list has shifted (somebody archived a tenant), and the
 *   page before is read again; an unsorted list is read again from its start, since records move to any place there.
 */
export function createPages<Item extends { id: number }, Query extends ListQuery>(
  listPage: (query: Query) => Promise<Item[]>,
): Pages<Item, Query> {
  let longestPage = 0;
  let isSortAccepted = true;
  let isSorted = true;

  /** Pages one after the other, to the end of the list. */
  async function* walk(
    pageAt: (limit: number, skip: number) => Promise<Item[]>,
    { limit = maxPageSize, skip: firstSkip = 0 }: ListQuery,
    isOrdered: () => boolean,
  ): AsyncGenerator<Item[], void, void> {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new ConfigurationError(`limit: a page holds at least one record, not ${limit}; no request was made.`);
    }
    const seen = new Set<number>();
    let skip = firstSkip;
    let lastId: number | undefined;
    let stepBack = 0;
    let stepsBack = 0;
    let farthest = skip;
    for (;;) {
      const page = await pageAt(limit, skip);
      const isNews = page.some(({ id }) => !seen.has(id));
      for (const { id } of page) seen.add(id);
      yield page;
      if (hasShifted(page, lastId, isOrdered()) && stepsBack < stepsBackMaximum) {
        stepsBack += 1;
        farthest = Math.max(farthest, skip + page.length);
        skip = isOrdered() ? Math.max(firstSkip, skip - stepBack) : firstSkip;
        lastId = undefined;
        continue;
      }
      const isProvenEnd = page.length < limit && page.length < longestPage;
      longestPage = Math.max(longestPage, page.length);
      const isStuck = !isNews && skip + page.length > farthest;
      if (page.length === 0 || isProvenEnd || isStuck) return;
      farthest = Math.max(farthest, skip + page.length);
      stepBack = page.length;
      const overlap = page.length > 1 ? 1 : 0;
      lastId = overlap === 1 ? page.at(-1)?.id : undefined;
      skip += page.length - overlap;
    }
  }

  async function* each(query: Query): AsyncGenerator<Item, void, void> {
    const given = new Set<number>();
    // the caller's order is the caller's: no record is known to move to an earlier place
    for await (const page of walk(
      (limit, skip) => listPage({ ...query, limit, skip }),
      query,
      () => true,
    )) {
      for (const item of page) {
        if (given.has(item.id)) continue;
        given.add(item.id);
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
      isSortAccepted = false; // the specification does not say which fields can be sorted by
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

  return { each, read, isSorted: () => isSorted };
}

/** Whether the record that ended the page before is gone from its place. Where ids ascend, one further on hides nothing. */
function hasShifted(page: readonly { id: number }[], lastId: number | undefined, isOrdered: boolean): boolean {
  if (lastId === undefined) return false;
  return isOrdered ? !page.some(({ id }) => id === lastId) : page[0]?.id !== lastId;
}

function isAscending(page: readonly { id: number }[]): boolean {
  return page.every(({ id }, index) => index === 0 || id > (page[index - 1]?.id ?? id));
}

/** Those of many records that are wanted. */
export async function matching<Wanted>(
  records: AsyncIterable<Wanted>,
  isWanted: (record: Wanted) => boolean,
): Promise<Wanted[]> {
  const found: Wanted[] = [];
  for await (const record of records) if (isWanted(record)) found.push(record);
  return found;
}
