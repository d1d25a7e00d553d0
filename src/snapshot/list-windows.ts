import type { Tenant } from "../api/index.ts";
import { maxPageSize } from "../api/pages.ts";

/** A part of a list sorted by id. */
export interface Window {
  /** The tenants to find in it. */
  ids: ReadonlySet<number>;
  skip: number;
  limit: number;
}

/**
 * A read of a part of the list also reads this many tenants on both sides of the wanted ones, because others may be created or
 * archived meanwhile. The number of wanted tenants is added to it: an operation that reads many has just changed many.
 */
const windowMargin = 10;

/**
 * If more than this many other tenants are between two wanted ones, each is read with a request of its own. A request costs
 * about as much as reading this many tenants.
 */
const separateFrom = 100;

/**
 * The parts of a list sorted by id in which the ids are, or would be, with a margin on both sides. Ids that are far from each
 * other are in different parts: the engine deletes resources in any order, and one part for all would be most of the list.
 *
 * @param known the tenants of the last list, which tell the positions.
 */
export function windowsOf(ids: ReadonlySet<number>, known: ReadonlyMap<number, Tenant>): Window[] {
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
