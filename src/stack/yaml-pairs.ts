import { isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import type { Aliases } from "./yaml-aliases.ts";

/** The pair of a key, as the map's value has it: its own, or one of a map that it merges (`<<: *base`). */
export type PairFinder = (map: YAMLMap, key: string) => Pair | undefined;

/** Looks at each map once: a file of thousands of tenants is asked for each of them. */
export function createPairFinder(aliases: Aliases): PairFinder {
  const known = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairsOf = (map: YAMLMap): ReadonlyMap<string, Pair> => {
    const before = known.get(map);
    if (before !== undefined) return before;
    const own = map.items.filter((pair) => !isMerge(pair)).map((pair) => [textOf(pair), pair] as const);
    known.set(map, new Map(own)); // it may merge itself
    const merged = map.items.filter(isMerge).flatMap(({ value }) => mapsIn(aliases, value));
    // of several merged maps the first counts most
    const pairs = new Map([...merged.reverse().flatMap((other) => [...pairsOf(other)]), ...own]);
    known.set(map, pairs);
    return pairs;
  };
  return (map, key) => pairsOf(map).get(key);
}

function mapsIn(aliases: Aliases, value: unknown): YAMLMap[] {
  const resolved = isAlias(value) ? aliases.get(value) : value;
  if (isMap(resolved)) return [resolved];
  return isSeq(resolved) ? resolved.items.flatMap((item) => mapsIn(aliases, item)) : [];
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === "symbol" && key.value.description === "<<";
}

/** A key as a value has it: numbers and the like become texts. */
function textOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}
