import { isDeepStrictEqual } from "node:util";
import { secretPathsSchema } from "../inputs/input-schema.ts";
import { isObject } from "../json/json-value.ts";
import { distinctPaths, partOf, valueAt } from "../json/key-path.ts";
import { referenceAt } from "../secrets/reference.ts";
import { secretMark, withMarks } from "./secret-marks.ts";

type Path = readonly string[];

/**
 * What a read returns, with its secrets marked: the values at its `secretPaths`, also at those of each tenant of a fleet, and
 * at its {@link newPaths}. The engine marks the others.
 */
export function withSecrets(properties: object, stored: object): Record<string, unknown> {
  return withMarks(properties, [...secretPathsOf(properties), ...newPaths(properties, stored)]);
}

/**
 * The state after a create or an update that was done in part, with its secrets marked. The engine marks it by the new
 * inputs, which may not declare a value that is still stored, and then what a read returns by the previous ones, which may not
 * declare what is stored now. So all that differs from either may be a secret, and the state lists it in `secretPaths`. The next
 * update may fail too, so it keeps the paths of the state before.
 */
export function withSecretsOfPart(state: object, inputs: object, before: object | undefined): Record<string, unknown> {
  const others = before === undefined ? [inputs] : [inputs, before];
  const changed = freeFormPaths(state).flatMap((part) => {
    const paths = distinctPaths(others.flatMap((other) => pathsWhere(state, other, part, isOther)));
    return paths.length > 1 ? [part] : paths; // the paths of a large fleet would not fit into the engine's message
  });
  const own = distinctPaths([...[state, ...others].flatMap(ownPaths), ...changed]);
  const all = own.length === 0 ? state : { ...state, secretPaths: own };
  return withMarks(all, [all, ...others].flatMap(secretPathsOf));
}

/**
 * The paths of values that may be secrets where nothing was stored. The engine marks what a read returns by what it has stored,
 * so not these, and nobody but who entered them knows what they are.
 */
export function newPaths(properties: object, stored: object): Path[] {
  return freeFormPaths(properties).flatMap((part) => pathsWhere(properties, stored, part, isNew));
}

function isNew(_: unknown, before: unknown): boolean {
  return before === undefined || before === null;
}

function isOther(value: unknown, before: unknown): boolean {
  return !isDeepStrictEqual(value, before);
}

/**
 * The state of a resource with the ids and the rollout's plan of a fleet's tenants marked as secrets, if the tenants are one
 * secret as a whole: both have the tenants' keys. The engine marks an output only at the path of a secret input.
 */
export function withSecretTenantIds<State extends object>(state: State): State {
  const isSecret = ownPaths(state).some(([first, ...below]) => first === "tenants" && below.length === 0);
  if (!isSecret) return state;
  const marked = ["tenantIds", "rolloutPlan"].flatMap((key) => {
    const value = valueAt(state, [key]);
    return value === undefined ? [] : [[key, secretMark(value)]];
  });
  return { ...state, ...Object.fromEntries(marked) };
}

/** The values at the `secretPaths` of the properties and of each tenant of a fleet. */
export function secretValuesOf(properties: object): unknown[] {
  return secretPathsOf(properties).map((path) => valueAt(properties, path));
}

/**
 * The values of the properties that may be secrets: all in objects without a form of their own. The engine does not say which
 * are, and the `secretPaths` do not have those that came after them, by a transformation or `ignoreChanges`.
 */
export function possibleSecretsOf(properties: object): unknown[] {
  return freeFormPaths(properties).map((path) => valueAt(properties, path));
}

/** The paths of the values, in a part of the properties, for which a condition on the other properties' values holds. */
function pathsWhere(
  properties: object,
  other: object,
  part: Path,
  isFound: (value: unknown, other: unknown) => boolean,
): Path[] {
  const below = (value: unknown, before: unknown, path: Path): Path[] => {
    if (value === undefined || value === null) return [];
    if (referenceAt(value, path.slice(part.length)) !== undefined) return []; // it holds no value
    if (!isObject(value) || !isObject(before)) return isFound(value, before) ? [path] : [];
    return Object.entries(value).flatMap(([key, item]) => below(item, partOf(before, key), [...path, key]));
  };
  return below(valueAt(properties, part), valueAt(other, part), part);
}

/** The paths of the objects without a form of their own, also of each tenant of a fleet. */
function freeFormPaths(properties: object): Path[] {
  const tenants = Object.keys(Object(valueAt(properties, ["tenants"]))).map((key) => ["tenants", key]);
  return [[], ...tenants].flatMap((path) =>
    ["configs", "metadata", "data", "payload", "triggers"].flatMap((key) => [
      [...path, key],
      [...path, "sync", key],
    ]),
  );
}

/** The paths of a resource's secrets. In a fleet, each tenant has its own list of paths. */
export function secretPathsOf(properties: object): Path[] {
  const tenants = Object.entries(Object(valueAt(properties, ["tenants"])));
  const ofTenants = tenants.flatMap(([key, entry]) => ownPaths(entry).map((path) => ["tenants", key, ...path]));
  return [...ownPaths(properties), ...ofTenants];
}

/** The `secretPaths` of the properties; empty if a preview does not know them yet. */
function ownPaths(properties: unknown): Path[] {
  return secretPathsSchema.safeParse(valueAt(properties, ["secretPaths"])).data ?? [];
}
