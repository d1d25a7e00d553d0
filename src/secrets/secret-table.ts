import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { unknownValue } from "../json/unknown.ts";
import { tombstone, withheld } from "./placeholders.ts";
import { describeReference, type Path, referenceKey, type SecretReference } from "./reference.ts";
import type { Resolution, SecretValues } from "./secret-values.ts";
import { mapReferences, type PlacedReference, referencesIn } from "./walk.ts";

/** The values of the references in declared settings. They are resolved when they are first needed. */
export interface SecretTable {
  /** Resolves the references. A comparison and a write need it first. */
  load(): Promise<void>;
  /** What {@link SecretTable.load} has found; for any other reference a problem. */
  resolutionOf(reference: SecretReference): Resolution;
  /** Whether a string is the value of one of the references. */
  isValue(text: string): boolean;
}

/** A reference that a write needs and that has no value. */
export interface Unresolved extends PlacedReference {
  problem: string;
}

/** What resolves references, and takes note of those without a value. */
export interface ResolvingContext {
  secretValues: SecretValues;
  warn(message: string): void;
}

const notLoaded: Resolution = { problem: "it is not resolved yet" };

/** The table of settings without references. */
export const noSecrets: SecretTable = {
  load: async () => {},
  resolutionOf: () => notLoaded,
  isValue: () => false,
};

/**
 * The table of the references in declared settings. A reference without a value is a warning, which the operation shows once.
 *
 * @param settings the declared settings, by name.
 */
export function secretTable(context: ResolvingContext, settings: object): SecretTable {
  return tableOf(context, referencesOf(settings));
}

/** The references in declared settings, by name. */
export function referencesOf(settings: object): SecretReference[] {
  return Object.values(settings).flatMap((declared) => referencesIn(declared, []).map(({ reference }) => reference));
}

/** The table of some references. */
export function tableOf({ secretValues, warn }: ResolvingContext, all: readonly SecretReference[]): SecretTable {
  if (all.length === 0) return noSecrets;
  const references = new Map(all.map((reference) => [referenceKey(reference), reference]));
  const found = new Map<string, Resolution>();
  const texts = new Set<string>();
  let loading: Promise<void> | undefined;
  const resolve = async ([key, reference]: [string, SecretReference]) => {
    const resolution = await secretValues.resolve(reference);
    found.set(key, resolution);
    if (typeof resolution.value === "string") texts.add(resolution.value);
    if (resolution.problem === undefined) return;
    warn(
      `the secret ${describeReference(reference)} cannot be resolved: ${resolution.problem}. ` +
        "Its value is not compared, and a write that needs it fails",
    );
  };
  return {
    load: () => {
      loading ??= Promise.all([...references].map(resolve)).then(() => {});
      return loading;
    },
    resolutionOf: (reference) => found.get(referenceKey(reference)) ?? notLoaded,
    isValue: (text) => texts.has(text),
  };
}

/**
 * The references in a declared value that have no value.
 *
 * @param path of the declared value within its free-form object.
 */
export function unresolvedIn(secrets: SecretTable, declared: JsonValue | undefined, path: Path): Unresolved[] {
  return referencesIn(declared, path).flatMap((placed) => {
    const { problem } = secrets.resolutionOf(placed.reference);
    return problem === undefined ? [] : [{ ...placed, problem }];
  });
}

/**
 * The declared free-form object as it is sent: with values in place of references and escapes. An observed reference whose value the
 * platform does not have stays a placeholder.
 *
 * @throws Error if a reference has no value. Find such references with {@link unresolvedIn} first.
 */
export function sentForm(secrets: SecretTable, declared: JsonObject): JsonObject {
  return mapReferences(declared, [], (reference, differs) => {
    if (differs) return withheld;
    const { value, problem } = secrets.resolutionOf(reference);
    if (problem === undefined) return value;
    throw new Error(`the secret ${describeReference(reference)} cannot be resolved: ${problem}`);
  });
}

/**
 * The declared value for comparisons with another one: a string that is unique to a reference, its version and whether it
 * differs stands for it.
 *
 * @param path of the declared value within its free-form object.
 * @param secrets if given, the references that have a value are replaced by it.
 */
export function comparableForm(declared: JsonValue, path: Path, secrets: SecretTable = noSecrets): JsonValue {
  return mapReferences(declared, path, (reference, differs) => {
    const { value } = differs ? {} : secrets.resolutionOf(reference);
    return value ?? `${withheld} ${referenceKey(reference)} ${String(differs)}`;
  });
}

/**
 * The declared keys for a check against a schema: a reference is an unknown value, which the platform judges, and so is a
 * placeholder, in whose place the platform's value stays.
 */
export function checkableForm(declared: object): object {
  return Object(withoutPlaceholders(mapReferences(declared, [], () => unknownValue)));
}

function withoutPlaceholders(value: unknown): unknown {
  if (value === withheld || value === tombstone) return unknownValue;
  if (Array.isArray(value)) return value.map(withoutPlaceholders);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutPlaceholders(part)]));
}
