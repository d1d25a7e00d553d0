import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../api/index.ts";
import type { ReleaseSchema } from "../../json-schema/index.ts";
import { type KeyPath, partOf, valueAt } from "../declared-keys.ts";
import { isMask } from "../masks.ts";
import type { Platform } from "../platform.ts";
import { type Desired, type Observed, unreadablePaths } from "./settings.ts";

/** How values that a schema calls secret come back: as they are, as a mask, as something else, or not at all. */
type Way = "shown" | "masked" | "changed" | "left out";

/** What this operation has seen of the platform. */
const seenWays = new WeakMap<Platform, Set<Way>>();

/** Notes how the platform shows the secrets that have just been written and read. */
export function noteHiding(platform: Platform, desired: Desired, observed: Observed): void {
  const seen = seenWays.get(platform) ?? new Set();
  seenWays.set(platform, seen);
  for (const path of unreadablePaths(desired, observed) ?? []) seen.add(wayOf(valueAt(liveOf(observed), path)));
  for (const name of ["configs", "metadata"] as const) {
    if (hasShownSecret(desired, observed, name)) seen.add("shown");
  }
}

/** Whether this operation has seen that the platform leaves secrets out of reads. */
export function isKnownToLeaveOut(platform: Platform): boolean {
  return seenWays.get(platform)?.has("left out") === true;
}

/** The declared passwords that are all that is missing, and are absent: the platform may leave them out of reads. */
export function isOnlyLeftOut(desired: Desired, observed: Observed, paths: readonly string[]): boolean {
  const trusting = { ...desired, leavesOut: true };
  const hidden = unreadablePaths(trusting, observed) ?? [];
  const absent = hidden.filter((path) => valueAt(liveOf(observed), path) === undefined);
  const keys = absent.map(([name, key]) => `${name}.${key}`);
  return absent.length > 0 && paths.every((path) => path === "paused" || keys.includes(path));
}

/**
 * Before the whole of `configs` or `metadata` is written: throws where the write would destroy a value that nothing
 * declares and that the platform surely hides; warns, once in an operation, where it may hide one.
 */
export function requireNothingHidden(
  platform: Platform,
  desired: Desired,
  observed: Observed,
  name: "configs" | "metadata",
): void {
  const live = liveOf(observed)[name];
  const schema = desired.schemas[name];
  const undeclared = undeclaredOf(desired, live, name);
  const { present, absent } = secretPlaces(undeclared, schema, desired, name);
  const ways = waysOf(platform, desired, observed);
  const required = requiredSecrets(undeclared, live, schema, desired, name);
  const atRisk = [...required, ...(ways.has("left out") ? absent : []), ...(ways.has("changed") ? present : [])];
  const text = (paths: readonly KeyPath[]) => [...new Set(paths.map((path) => [name, ...path].join(".")))].join(", ");
  if (atRisk.length > 0) {
    throw new Error(
      `the tenant may have ${text(atRisk)}, which the platform hides on reading and nothing declares: ` +
        `a change of ${name} could destroy it. Declare it too`,
    );
  }
  if (absent.length === 0 || desired.isNew === true || ways.has("shown") || ways.has("masked")) return;
  platform.warn(
    `the schema calls ${text(absent)} secret, and the platform need not show it: should a tenant have it, a change of its ` +
      `other ${name} may remove it. Declare it too`,
  );
}

function waysOf(platform: Platform, { lastWrite }: Desired, observed: Observed): ReadonlySet<Way> {
  const ways = new Set(seenWays.get(platform));
  for (const path of lastWrite?.unreadablePaths ?? []) ways.add(wayOf(valueAt(liveOf(observed), path)));
  return ways;
}

function wayOf(live: JsonValue | undefined): Way {
  if (live === undefined) return "left out";
  return isMask(live) ? "masked" : "changed";
}

function hasShownSecret({ settings, schemas }: Desired, observed: Observed, name: "configs" | "metadata"): boolean {
  const isShown = (value: JsonValue, path: KeyPath): boolean => {
    const live = valueAt(liveOf(observed)[name], path);
    if (schemas[name].isHidden(path)) return isDeepStrictEqual(value, live);
    return isJsonObject(value) && Object.entries(value).some(([key, item]) => isShown(item, [...path, key]));
  };
  return isShown(settings[name] ?? {}, []);
}

/** What the platform has besides what is declared, or was. */
function undeclaredOf({ settings, removed }: Desired, live: JsonObject, name: "configs" | "metadata"): JsonObject {
  const isKept = (key: string) => !Object.hasOwn(settings[name] ?? {}, key) && !removed[name].includes(key);
  return Object.fromEntries(Object.entries(live).filter(([key]) => isKept(key)));
}

/** Where the schema calls undeclared values secret: those that were read, and those that are absent. */
function secretPlaces(undeclared: JsonObject, schema: ReleaseSchema, desired: Desired, name: "configs" | "metadata") {
  const present: KeyPath[] = [];
  const absent: KeyPath[] = [];
  const look = (value: JsonValue, path: KeyPath) => {
    if (path.length > 0 && schema.isHidden(path)) {
      if (value !== null && !isMask(value)) present.push(path);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) look(item, [...path, key]);
    for (const key of schema.namesAt(path)) {
      const isElsewhere = path.length === 0 && isManaged(desired, name, key);
      const isAbsent = partOf(value, key) === undefined && !isElsewhere;
      if (isAbsent && schema.isHidden([...path, key])) absent.push([...path, key]);
    }
  };
  look(undeclared, []);
  return { present, absent };
}

function isManaged({ settings, removed }: Desired, name: "configs" | "metadata", key: string): boolean {
  return Object.hasOwn(settings[name] ?? {}, key) || removed[name].includes(key);
}

/** Secrets that the schema requires, that nothing declares and that are not there: then they are hidden. */
function requiredSecrets(
  undeclared: JsonObject,
  live: JsonObject,
  schema: ReleaseSchema,
  desired: Desired,
  name: "configs" | "metadata",
): KeyPath[] {
  if (desired.isNew === true || Object.keys(live).length === 0) return [];
  const missing = schema.problems({ ...undeclared, ...desired.settings[name] }).map(({ path }) => path);
  return missing.filter(
    (path) =>
      path.length > 0 &&
      valueAt(live, path) === undefined &&
      !isManaged(desired, name, path[0] ?? "") &&
      schema.isHidden(path),
  );
}

function liveOf({ tenant, metadata }: Observed): { configs: JsonObject; metadata: JsonObject } {
  return { configs: tenant.configs, metadata };
}
