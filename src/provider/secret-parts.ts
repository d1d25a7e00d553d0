import { secretPathsSchema } from "../inputs/input-schema.ts";
import { distinctPaths, valueAt } from "../json/key-path.ts";
import { secretMark, withMarks } from "./secret-marks.ts";

type Path = readonly string[];

/**
 * The properties with their secrets marked: the values at their `secretPaths`, at those of the properties before, and at
 * those of each tenant of a fleet. The engine itself marks results according to the inputs that it knows. After a partial
 * update, these may be the previous inputs, or inputs that no longer declare a value that is still stored. The next update
 * may fail too, so the properties keep the paths of those before.
 */
export function withSecrets(properties: object, before: object = {}): Record<string, unknown> {
  const own = distinctPaths([...ownPaths(properties), ...ownPaths(before)]);
  const all = own.length === 0 ? properties : { ...properties, secretPaths: own };
  return withMarks(all, [...secretPathsOf(all), ...secretPathsOf(before)]);
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
