import type { Variants } from "../../../src/emulator/index.ts";
import type { Removed } from "../reader.ts";
import { type Declared, type Entries, type Entry, nameOf } from "./declared.ts";

/** The names of the tenants that were declared and are no longer, under no other key either. */
export function namesTakenOut(before: Declared, now: Declared): string[] {
  return pairsOf(before, now).flatMap(([key, entry, later]) => (later === undefined ? [nameOf(key, entry)] : []));
}

/** The configs and metadata that are declared no longer, where the platform can remove them, under the name of now. */
export function settingsTakenOut(variants: Variants, before: Declared, now: Declared): Removed[] {
  return (["configs", "metadata"] as const)
    .filter((part) => variants[part] !== "merge")
    .flatMap((part) =>
      pairsOf(before, now).flatMap(([, entry, later]) =>
        later === undefined ? [] : keysTakenOut(part, entry, later[1], nameOf(...later)),
      ),
    );
}

function keysTakenOut(part: Removed["part"], before: Entry, now: Entry, tenant: string): Removed[] {
  return Object.entries(before[part] ?? {})
    .filter(([key]) => !Object.hasOwn(now[part] ?? {}, key) && !ofDefaults.has(key))
    .map(([key, value]) => ({ tenant, part, key, value }));
}

/** What a fleet's defaults declare in place of the tenant. */
const ofDefaults = new Set(["region", "mapping"]);

/** Each entry of before with its key, and with the one that it is now. */
function pairsOf(before: Declared, now: Declared): [string, Entry, [string, Entry] | undefined][] {
  const laterOf = (entries: Entries, key: string) =>
    Object.entries(entries).find(([other, { aliases = [] }]) => other === key || aliases.includes(key));
  return groups.flatMap((groupOf) =>
    Object.entries(groupOf(before)).map(([key, entry]): [string, Entry, [string, Entry] | undefined] => [
      key,
      entry,
      laterOf(groupOf(now), key),
    ]),
  );
}

/** The tenants outside of fleets, and those of each fleet. No tenant of a model moves from one to another. */
const groups: readonly ((declared: Declared) => Entries)[] = [
  ({ tenants }) => tenants,
  ({ fleet }) => fleet,
  ({ rolling }) => rolling.tenants,
];
