import { isDeepStrictEqual } from "node:util";
import { isObject } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import { parseUrn } from "../operation/urn.ts";
import { platformKey } from "../provider/platform-address.ts";
import { secretPathsOf } from "../provider/secret-parts.ts";
import type { ResourceType } from "../resources/pulumi/type-token.ts";
import { ownOutputs } from "./previewed-outputs.ts";

/** Properties of a resource as the engine has them: the values, and where its secrets are. */
export interface EngineProperties {
  value: Record<string, unknown>;
  secretPaths: readonly Path[];
}

type Path = readonly string[];

/** Properties that lifecycles have and the engine's do not, or only those that a dynamic provider wrote. */
const secretPathsKey = "secretPaths";
const hostKey = "__provider";
const logicalNameKey = "logicalName";

/** The keys that the schemas of the resource's inputs have besides those that a program can declare. */
const added: Record<ResourceType, readonly string[]> = {
  Tenant: [logicalNameKey, secretPathsKey],
  TenantFleet: [logicalNameKey, secretPathsKey],
  TenantMetadata: [logicalNameKey, secretPathsKey],
  SyncTrigger: [secretPathsKey],
  Build: [],
  FleetRollout: [],
};

/** Inputs as a lifecycle takes them: with the logical name, unless it is the name, and with the places of the secrets. */
export function inputsFromEngine(type: ResourceType, urn: string, properties: EngineProperties) {
  const { value } = declaredInputs(properties);
  return withSecretPaths(type, { ...value, ...addedInputs(type, urn, value) }, properties.secretPaths);
}

/** The logical name of a resource, unless it is the declared name or its lifecycle does not need it. */
export function addedInputs(type: ResourceType, urn: string, inputs: { name?: unknown }): { logicalName?: string } {
  const { logicalName } = parseUrn(urn);
  return added[type].includes(logicalNameKey) && logicalName !== inputs.name ? { logicalName } : {};
}

/**
 * A state as a lifecycle takes it. Its secrets are those of its inputs: the engine marks more of a state as secret where
 * the program asks for that. After an update that was done in part the engine keeps the inputs before, so a value that
 * differs from them is a secret if the state says so.
 */
export function stateFromEngine(type: ResourceType, state: EngineProperties, inputs: EngineProperties) {
  if (state.secretPaths.length === 0) return withSecretPaths(type, withoutAdded(state.value), inputs.secretPaths);
  const observed = declarable(type, state.value);
  const sinceInputs = state.secretPaths.filter((path) => {
    const value = valueAt(observed, path);
    return value !== undefined && !isDeepStrictEqual(value, valueAt(inputs.value, path));
  });
  return withSecretPaths(type, withoutAdded(state.value), [...inputs.secretPaths, ...sinceInputs]);
}

/** A state without what only the platform says, of the resource and of each tenant of a fleet. */
function declarable(type: ResourceType, { tenants, ...value }: Record<string, unknown>): Record<string, unknown> {
  const own = withoutKeys(value, [...observedKeys, ...ownOutputs(type)]);
  if (!isObject(tenants)) return own;
  const entries = Object.entries(tenants).map(([key, entry]) => {
    return [key, isObject(entry) ? withoutKeys({ ...entry }, observedKeys) : entry];
  });
  return { ...own, tenants: Object.fromEntries(entries) };
}

const observedKeys = [
  ...["tenantId", "tenantIds", "declaredName", "overridden"],
  ...["unreadablePaths", "shownAs", "waitingFor", "latest"],
];

function withoutKeys(value: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** A state without what only dynamic providers store. */
export function ownState({ value, secretPaths }: EngineProperties): EngineProperties {
  const { [platformKey]: _, ...own } = withoutAdded(value);
  return { value: own, secretPaths };
}

/**
 * A lifecycle's properties for the engine, which stores secrets as such instead of their paths.
 *
 * @param others more properties whose secrets must remain secrets, such as the state before.
 */
export function forEngine(properties: object, others: readonly EngineProperties[] = []): EngineProperties {
  const secretPaths = [...secretPathsOf(properties), ...others.flatMap((other) => other.secretPaths)];
  return { value: withoutAdded({ ...properties }), secretPaths: withTenantIds(secretPaths) };
}

/**
 * A state for the engine. A mark needs a value, so the state lists the places of secrets whose value somebody has removed: a
 * read that finds a value there again must mark it.
 *
 * @param others as of {@link forEngine}.
 */
export function stateForEngine(state: object, others: readonly EngineProperties[]): EngineProperties {
  const { value, secretPaths } = forEngine(state, others);
  const emptied = emptiedPaths(value, secretPaths);
  return { value: emptied.length === 0 ? value : { ...value, [secretPathsKey]: sorted(emptied) }, secretPaths };
}

/** A state as read from the engine, with the places of the secrets that it lists. */
export function withListedSecrets({ value, secretPaths }: EngineProperties): EngineProperties {
  return { value, secretPaths: [...secretPaths, ...emptiedPaths(value, secretPathsOf(value))] };
}

/** The places of secrets that have no value, in inputs that are still declared. */
export function emptiedPaths(value: object, paths: readonly Path[]): readonly Path[] {
  return paths.filter((path) => {
    const input = path.slice(0, path[0] === "tenants" ? 4 : 2); // such as a key of configs
    return (valueAt(value, path) ?? null) === null && valueAt(value, input) !== undefined;
  });
}

/** The places of the secrets among a fleet's outputs: if its tenants are one secret, outputs with their keys are secret too. */
export function withTenantIds(secretPaths: readonly Path[]): readonly Path[] {
  const areKeysSecret = secretPaths.some((path) => path.length === 1 && path[0] === "tenants");
  return areKeysSecret ? [...secretPaths, ["tenantIds"], ["rolloutPlan"]] : secretPaths;
}

/**
 * Inputs for the engine.
 *
 * @param before the inputs so far, whose secrets remain secrets.
 */
export function inputsForEngine(inputs: object, before?: EngineProperties): EngineProperties {
  return declaredInputs(forEngine(inputs, before && [before]));
}

/** The inputs that a program can declare. A resource's logical name is in its URN. */
export function declaredInputs({ value, secretPaths }: EngineProperties): EngineProperties {
  const { [logicalNameKey]: _, ...own } = withoutAdded(value);
  return { value: own, secretPaths };
}

function withSecretPaths(type: ResourceType, value: Record<string, unknown>, paths: readonly Path[]) {
  if (paths.length === 0 || !added[type].includes(secretPathsKey)) return value;
  const [own, ofTenants] = type === "TenantFleet" ? divided(paths) : [paths, new Map<string, Path[]>()];
  const tenants = value.tenants;
  return {
    ...value,
    ...(ofTenants.size > 0 && isObject(tenants) ? { tenants: withTenantPaths(tenants, ofTenants) } : {}),
    ...(own.length > 0 ? { [secretPathsKey]: sorted(own) } : {}),
  };
}

/** The paths of a fleet's own secrets, and those within its tenants by the tenants' keys. */
function divided(paths: readonly Path[]): [Path[], Map<string, Path[]>] {
  const own: Path[] = [];
  const ofTenants = new Map<string, Path[]>();
  for (const path of paths) {
    const [first, key, ...rest] = path;
    if (first !== "tenants" || key === undefined || rest.length === 0) own.push(path);
    else ofTenants.set(key, [...(ofTenants.get(key) ?? []), rest]);
  }
  return [own, ofTenants];
}

function withTenantPaths(tenants: object, ofTenants: ReadonlyMap<string, readonly Path[]>): object {
  const entries = Object.entries(tenants).map(([key, entry]) => {
    const paths = ofTenants.get(key);
    return [key, paths === undefined ? entry : { ...entry, [secretPathsKey]: sorted(paths) }];
  });
  return Object.fromEntries(entries);
}

function withoutAdded({
  [secretPathsKey]: _,
  [hostKey]: __,
  ...value
}: Record<string, unknown>): Record<string, unknown> {
  const { tenants } = value;
  const isMarked = (entry: unknown): entry is Record<string, unknown> =>
    isObject(entry) && Object.hasOwn(entry, secretPathsKey);
  if (!isObject(tenants) || !Object.values(tenants).some(isMarked)) return value;
  const entries = Object.entries(tenants).map(([key, entry]): [string, unknown] => {
    if (!isMarked(entry)) return [key, entry];
    const { [secretPathsKey]: ___, ...own } = entry;
    return [key, own];
  });
  return { ...value, tenants: Object.fromEntries(entries) };
}

function sorted(paths: readonly Path[]): Path[] {
  const byText = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...byText.keys()].sort().flatMap((text) => [byText.get(text) ?? []]);
}
