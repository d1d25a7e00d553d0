import * as pulumi from "@pulumi/pulumi";

interface FreeForms {
  configs?: unknown;
  metadata?: unknown;
}

/** A tenant's entry over the defaults: `configs` and `metadata` are merged at every depth, all else replaces. */
export function mergeEntry<Entry extends FreeForms>(defaults: Entry, entry: Entry): Entry {
  const merged = { ...defaults, ...entry };
  for (const name of ["configs", "metadata"] as const) {
    if (name in defaults && name in entry) merged[name] = mergeObjects(defaults[name], entry[name]);
  }
  return merged;
}

function mergeObjects<T>(under: T, over: T): T {
  if (!isPlainObject(under) || !isPlainObject(over)) return over;
  const merged = { ...under, ...over };
  for (const key of Object.keys(under).filter((name) => Object.hasOwn(over, name))) {
    Object.assign(merged, { [key]: mergeObjects(Reflect.get(under, key), Reflect.get(over, key)) });
  }
  return merged;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !pulumi.Output.isInstance(value);
}
