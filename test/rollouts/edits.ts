import { type Entry, type Fleet, membersOf } from "./declared.ts";
import type { Tag } from "./scene.ts";
import { type Edit, tenantsMaximum } from "./story.ts";

/** Applies an edit to a fleet. Returns the same fleet if the edit does not apply. @param finished What finished last. */
export function applyEdit(fleet: Fleet, edit: Edit, finished: Tag | undefined): Fleet {
  const { tenants } = fleet;
  if (edit.kind === "target") return { ...fleet, target: edit.tag };
  if (edit.kind === "way back") return finished === undefined ? fleet : { ...fleet, target: finished };
  if (edit.kind === "attempt") return { ...fleet, attempt: fleet.attempt + 1 };
  if (edit.kind === "approve")
    return { ...fleet, strategy: { ...fleet.strategy, approved: ["canary", "early", "rest"] } };
  if (edit.kind === "strategy") return { ...fleet, strategy: { ...fleet.strategy, ...edit.change } };
  if (edit.kind === "add") {
    const key = `k${edit.pick}`;
    const name = `${fleet.name}-${key}`;
    const isTaken =
      tenants.size > tenantsMaximum || [...tenants].some(([other, entry]) => other === key || entry.name === name);
    return isTaken ? fleet : withTenants(fleet, [...tenants, [key, { name }]]);
  }
  const [key, entry] = [...tenants][edit.pick % Math.max(1, tenants.size)] ?? [];
  if (key === undefined || entry === undefined) return fleet;
  const others = [...tenants].filter(([other]) => other !== key);
  const isLastMember = membersOf(fleet).every((member) => member === key);
  const { release: _, ...unpinned } = entry;
  switch (edit.kind) {
    case "remove":
      return isLastMember ? fleet : withTenants(fleet, others);
    case "rename":
      return withTenants(fleet, [...others, [`${key}r`, { ...entry, alias: key }]]);
    case "exclude":
      if (fleet.exclude.includes(key)) return { ...fleet, exclude: fleet.exclude.filter((other) => other !== key) };
      return isLastMember ? fleet : { ...fleet, exclude: [...fleet.exclude, key] };
    case "pin":
      if (isLastMember || fleet.exclude.includes(key)) return fleet;
      return withTenants(fleet, [...others, [key, { ...entry, release: edit.tag }]]);
    case "unpin":
      return withTenants(fleet, [...others, [key, unpinned]]);
  }
}

/** The fleet after its program was applied: aliases are gone. */
export function withoutAliases(fleet: Fleet): Fleet {
  return withTenants(
    fleet,
    [...fleet.tenants].map(([key, { alias: _, ...entry }]) => [key, entry]),
  );
}

function withTenants(fleet: Fleet, tenants: readonly (readonly [string, Entry])[]): Fleet {
  const kept = new Map(tenants);
  return { ...fleet, tenants: kept, exclude: fleet.exclude.filter((key) => kept.has(key)) };
}
