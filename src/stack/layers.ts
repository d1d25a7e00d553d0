import { valueAt } from "../json-schema/index.ts";
import type { KeyPath } from "./yaml-file.ts";

/** Where something is declared: its path in the config and, where that is not the stack's file, the file and line. */
export interface Place {
  path: KeyPath;
  where?: string;
}

/** One of the places that say something of a tenant: its own entry, a file of tenants, the defaults. */
export interface Layer {
  value: object;
  /** Where a part of it stands. */
  placeOf(path: KeyPath): Place;
  /** Whether a part of it is a secret. */
  isSecret(path: KeyPath): boolean;
}

/** The layers of a tenant, from what counts most to what counts least. */
export type Layers = readonly [Layer, ...Layer[]];

/** What the layers say together: `configs` and `metadata` are merged at every depth, all else replaces. */
export function merged(layers: Layers): object {
  return layers
    .map(({ value }) => value)
    .reduceRight((under, over) => mergeAt(under, over, (name) => name === "configs" || name === "metadata"));
}

/** The layer that decides on a part: the first one that says something of it, else the tenant's own. */
export function decisive(layers: Layers, path: KeyPath): Layer {
  return layers.find(({ value }) => valueAt(value, path) !== undefined) ?? layers[0];
}

function mergeAt(under: object, over: object, isMerged: (name: string) => boolean): object {
  // a map, as some names mean something else to an object
  const result = new Map<string, unknown>(Object.entries(under));
  for (const [name, value] of Object.entries(over)) {
    const below = result.get(name);
    const areBoth = isMerged(name) && isPlainObject(below) && isPlainObject(value);
    result.set(name, areBoth ? mergeAt(below, value, () => true) : value);
  }
  return Object.fromEntries(result);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
