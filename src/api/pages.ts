import { ConfigurationError } from "./errors.ts";

/** The largest page that the API gives (specification, "Limits"). */
export const maxPageSize = 500;

/**
 * All records of a list, page after page, each id once, from `firstSkip` on.
 *
 * A page with fewer records than asked for is the last, unless its size looks like a cap of the server's own: then one more page is asked
 * for, since taking a cap for the end would lose records without a word.
 *
 * @throws ConfigurationError for a page size that is not a positive integer.
 */
export async function* eachRecord<Item extends { id: number }>(
  listPage: (limit: number, skip: number) => Promise<Item[]>,
  limit: number = maxPageSize,
  firstSkip = 0,
): AsyncGenerator<Item, void, void> {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new ConfigurationError(`limit: a page holds at least one record, not ${limit}; no request was made.`);
  }
  const seen = new Set<number>();
  let fullSize = limit;
  for (let skip = firstSkip; ; ) {
    const page = await listPage(limit, skip);
    const fresh = page.filter(({ id }) => !seen.has(id) && seen.add(id));
    yield* fresh;
    if (fresh.length === 0) {
      return;
    }
    if (page.length < fullSize) {
      if (skip > firstSkip || !looksLikeCap(page.length)) {
        return;
      }
      fullSize = page.length;
    }
    skip += page.length;
  }
}

/** Nobody caps a page at 37. */
function looksLikeCap(size: number): boolean {
  const isPowerOfTwo = (size & (size - 1)) === 0;
  return size % 10 === 0 || size % 25 === 0 || (size >= 16 && isPowerOfTwo);
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
