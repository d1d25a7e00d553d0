import type { Tenant } from "../api/index.ts";
import { maxPageSize } from "../api/pages.ts";

/** A part of a list sorted by id. */
export interface Window {
  /** The tenants to find in it. */
  ids: ReadonlySet<number>;
  skip: number;
  limit: number;
}

/** A read of a part of the list also reads this many tenants on both sides of the wanted ones, as others may be changed. */
const windowMargin = 10;

/** A request costs about as much as reading this many tenants. */
const requestCost = 80;

/**
 * The parts of a list sorted by id in which the ids are, or would be, with a margin on both sides. Ids that are far from each
 * other are in different parts: the engine deletes resources in any order, and one part for all would be most of the list.
 *
 * A tenant moves towards the start of the list by one place for each one below it that is archived, and never the other way, as
 * new tenants get higher ids. So the margin before a part grows by the tenants below whose archiving is under way.
 *
 * @param known the tenants of the last list, which tell the positions.
 * @param leaving the ids of known tenants that may be archived already.
 */
export function windowsOf(
  ids: ReadonlySet<number>,
  known: ReadonlyMap<number, Tenant>,
  leaving: ReadonlySet<number>,
): Window[] {
  const sorted = [...ids].toSorted((left, right) => left - right);
  const positions = countsBelow(sorted, known.keys());
  const shifts = countsBelow(sorted, leaving);
  const windows: { ids: Set<number>; skip: number; end: number }[] = [];
  for (const [index, id] of sorted.entries()) {
    const position = positions[index] ?? 0;
    const skip = Math.max(0, position - (shifts[index] ?? 0) - windowMargin);
    const end = position + 1 + windowMargin;
    const last = windows.at(-1);
    if (last !== undefined && skip - last.end <= requestCost && end - last.skip <= maxPageSize) {
      last.ids.add(id);
      last.end = end;
    } else windows.push({ ids: new Set([id]), skip, end });
  }
  return windows.map(({ ids, skip, end }) => ({ ids, skip, limit: Math.min(maxPageSize, end - skip) }));
}

/** For each of the ids in ascending order, how many of the others are below it. */
function countsBelow(sorted: readonly number[], others: Iterable<number>): number[] {
  const counts = sorted.map(() => 0);
  for (const other of others) {
    const above = firstAbove(sorted, other);
    if (above < counts.length) counts[above] = (counts[above] ?? 0) + 1;
  }
  let below = 0;
  return counts.map((count) => {
    below += count;
    return below;
  });
}

/** The index of the first number above another, by bisection: a list of thousands is counted for each read. */
function firstAbove(sorted: readonly number[], other: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) > other) high = middle;
    else low = middle + 1;
  }
  return low;
}
