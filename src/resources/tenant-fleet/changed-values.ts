import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json-value.ts";
import { valueAt } from "../../json/key-path.ts";
import { isUnknown } from "../../json/unknown.ts";
import { tombstone } from "../../secrets/placeholders.ts";
import { describeReference, isDiffering, isMistakable, referenceAt } from "../../secrets/reference.ts";
import { isSecretValue } from "../../settings/secret-detection.ts";
import { settingEntries } from "../../settings/table.ts";

/** One value of a tenant that an update changes, with strings in place of the values. Secrets are not in the strings. */
export interface ChangedValue {
  /** For example `["configs", "batch_size"]`. */
  path: Path;
  /** `undefined` if the new value is not known yet, as the former values of several tenants would only look different. */
  before: string | undefined;
  after: string;
}

type Path = readonly string[];

/** What is known of the secrets of a tenant. */
export interface KnownSecrets {
  /** Where secrets are or were declared. */
  declared: readonly Path[];
  /** Where the platform hides values. What is declared there may be a reference to a secret, which is none itself. */
  hidden: readonly Path[];
  /** Whether the name of a key indicates a secret. */
  isSecretName(key: string): boolean;
  /** Whether a value may be a secret because nobody tells the provider which are. */
  mayHoldSecret(value: unknown): boolean;
}

const secretText = "(secret)";
const unknownText = "(known after up)";

/**
 * The settings that differ between two versions of a tenant. Free-form objects are compared key by key, lists as a whole.
 *
 * @param before the settings as last observed.
 * @param after the declared settings. In a preview parts of them may be unknown.
 */
export function changedValues(before: object, after: object, secrets: KnownSecrets): ChangedValue[] {
  return settingEntries.flatMap(([name, { kind }]) => {
    const isKeyed = kind === "keys";
    // a free-form object that is no longer declared loses its keys one by one
    const [old, now] = [before, after].map((settings) => valueAt(settings, [name]) ?? (isKeyed ? {} : undefined));
    const gone = isKeyed ? "(absent)" : "(not managed)";
    return changedPaths(old, now, isKeyed).map((inside) => {
      const path = [name, ...inside];
      const [left, right] = [valueAt(old, inside), valueAt(now, inside)];
      const text = textWithoutSecrets(path, [left, right], secrets);
      if (isUnknown(right)) return { path, before: undefined, after: unknownText };
      return {
        path,
        before: left === undefined ? "(absent)" : text(left),
        after: right === undefined ? gone : text(right),
      };
    });
  });
}

/** @param isKeyed whether keys that only one side has are changes of their own. */
function changedPaths(old: unknown, now: unknown, isKeyed: boolean, path: Path = []): Path[] {
  if (isDeepStrictEqual(old, now)) return [];
  if (!isBranch(old, path) || !isBranch(now, path)) return [path];
  const keys = Object.keys({ ...old, ...now });
  if (!isKeyed && keys.some((key) => !Object.hasOwn(old, key) || !Object.hasOwn(now, key))) return [path];
  return keys.flatMap((key) => changedPaths(valueAt(old, [key]), valueAt(now, [key]), isKeyed, [...path, key]));
}

/** A reference to a secret is one value. */
function isBranch(value: unknown, path: Path): value is JsonObject {
  return isJsonObject(value) && !isMistakable(value, path);
}

/**
 * Returns a function that writes the values of a path as JSON. If one of them is a secret, so is the other; where one is a
 * reference to a secret, the other may be the secret itself.
 */
function textWithoutSecrets(path: Path, values: readonly unknown[], secrets: KnownSecrets) {
  const nearby = (paths: readonly Path[]) =>
    paths.filter((secret) => startsWith(secret, path) || startsWith(path, secret));
  const near = { ...secrets, declared: nearby(secrets.declared), hidden: nearby(secrets.hidden) };
  const isReference = (value: unknown) => referenceAt(value, path.slice(1)) !== undefined;
  const references = values.filter(isReference);
  const hasReference = references.length > 0;
  const isSecret = (hasReference ? references : values).some((value) => isSecretAt(path, value, near));
  return (value: unknown): string => {
    if (isSecret || (hasReference && !isReference(value))) return secretText;
    if (hasReference) return describeReferenceIn(value, path);
    return value === tombstone ? tombstone : JSON.stringify(shown(path, value, near));
  };
}

/** The value with strings in place of its secret and its unknown parts. */
function shown(path: Path, value: unknown, secrets: KnownSecrets): JsonValue {
  if (isUnknown(value)) return unknownText;
  if (isSecretAt(path, value, secrets)) return secretText;
  if (referenceAt(value, path.slice(1)) !== undefined) return describeReferenceIn(value, path);
  const below = (item: unknown, key: string | number) => shown([...path, String(key)], item, secrets);
  if (Array.isArray(value)) return value.map(below);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(item, key)]));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/**
 * Whether a value is a secret: it is declared as one, or its name or its form indicates one. Where a secret is declared
 * deeper, a list is a secret, because its items may have moved; and so is a plain value, which took an object's place.
 */
function isSecretAt(path: Path, value: unknown, secrets: KnownSecrets): boolean {
  const { declared, hidden, isSecretName, mayHoldSecret } = secrets;
  if (value === undefined || value === null) return false;
  const isAmong = (paths: readonly Path[]) =>
    paths.some((secret) => startsWith(path, secret) || (!isJsonObject(value) && startsWith(secret, path)));
  if (isAmong(declared)) return true;
  if (referenceAt(value, path.slice(1)) !== undefined) return false; // its name is that of a secret, and it does not hold the value
  if (isAmong(hidden)) return true;
  const [, ...keys] = path; // the name of a setting is none of the user's names
  if (keys.length > 0 && mayHoldSecret(value)) return true;
  if (typeof value !== "boolean" && keys.some(isSecretName)) return true;
  return typeof value === "string" && isSecretValue(value);
}

/** `env:ACME_TOKEN (version 3)`, or that the platform has another value. */
function describeReferenceIn(value: unknown, [, ...inside]: Path): string {
  const reference = referenceAt(value, inside);
  return reference === undefined || isDiffering(value, inside) ? "(differs)" : describeReference(reference);
}

function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((key, index) => key === path[index]);
}
