/** A random generator with the same results for the same seed. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** A number of different items of a list, in its order. */
  sample<T>(list: readonly T[], count: number): T[];
  /** A separate generator. Making it advances this one by a single step. */
  fork(): Random;
}

/** Mulberry32: small, and good enough to choose faults. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    sample: (list, count) => {
      const byChance = list.map((item, index) => ({ item, index, rank: next() }));
      const chosen = byChance.sort((left, right) => left.rank - right.rank).slice(0, count);
      return chosen.sort((left, right) => left.index - right.index).map(({ item }) => item);
    },
    fork: () => createRandom(below(2 ** 31)),
  };
}
