import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import { isPlaceholder } from "./placeholders.ts";
import {
  declaredForm,
  differingForm,
  isMistakable,
  type Meaning,
  meaningOf,
  type Path,
  type Root,
  type SecretReference,
} from "./reference.ts";

/** A reference and where it is within its free-form object. */
export interface PlacedReference {
  path: Path;
  reference: SecretReference;
}

/**
 * The parts of a declared value that mean something else than themselves: references, escapes and malformed references.
 *
 * @param path of the value within its free-form object.
 */
function* meaningsIn(value: unknown, path: Path): Generator<{ path: Path; value: JsonObject; meaning: Meaning }> {
  if (typeof value !== "object" || value === null) return;
  const meaning = meaningOf(value, path);
  if (meaning.kind !== "plain" && isJsonObject(value)) yield { path, value, meaning };
  else for (const [key, item] of Object.entries(value)) yield* meaningsIn(item, [...path, key]);
}

/** The references inside a declared value, without those in escapes. */
export function referencesIn(value: unknown, path: Path): PlacedReference[] {
  return [...meaningsIn(value, path)].flatMap(({ path, meaning }) =>
    meaning.kind === "reference" ? [{ path, reference: meaning.reference }] : [],
  );
}

/** Whether a declared value is or contains a reference. */
export function hasReference(value: unknown, path: Path): boolean {
  return [...meaningsIn(value, path)].some(({ meaning }) => meaning.kind === "reference");
}

/** Whether a value is or contains an observed reference whose value the platform does not have. */
export function hasDiffering(value: unknown, path: Path): boolean {
  return [...meaningsIn(value, path)].some(({ meaning }) => meaning.kind === "reference" && meaning.differs);
}

/** The parts of a free-form object that have the form of a reference but are none, with their paths and what is wrong. */
export function malformedIn(declared: JsonObject): { path: Path; value: JsonObject; problem: string }[] {
  return [...meaningsIn(declared, [])].flatMap(({ path, value, meaning }) => {
    const problem = meaning.kind === "malformed" ? meaning.problem : undefined;
    return problem === undefined ? [] : [{ path, value, problem }];
  });
}

/** A declared value with another value in place of each reference, and what an escape stands for in place of the escape. */
export function mapReferences(value: JsonObject, path: Root, replace: OfReference<JsonValue>): JsonObject;
export function mapReferences(value: JsonValue, path: Path, replace: OfReference<JsonValue>): JsonValue;
export function mapReferences(value: unknown, path: Path, replace: OfReference<unknown>): unknown;
export function mapReferences(value: unknown, path: Path, replace: OfReference<unknown>): unknown {
  return mapParts(value, path, inForms({ reference: replace, escape: (literal) => literal }));
}

/** The declared value of a key, with each reference marked as differing. */
export function differing(value: JsonValue, path: Path): JsonValue {
  return mapParts(value, path, inForms({ reference: differingForm, escape: escapeOf }));
}

/** The value as it is declared: without the marks of differing references. */
export function undiffering(value: JsonObject, path: Root): JsonObject;
export function undiffering(value: JsonValue, path: Path): JsonValue;
export function undiffering(value: JsonValue, path: Path): JsonValue {
  return mapParts(value, path, inForms({ reference: declaredForm, escape: escapeOf }));
}

/** An observed value in the form in which it would be declared: a part that looks like a reference is escaped. */
export function escaped(value: JsonObject, path: Root): JsonObject;
export function escaped(value: JsonValue, path: Path): JsonValue;
export function escaped(value: JsonValue, path: Path): JsonValue {
  return mapParts(value, path, (part, at) =>
    isJsonObject(part) && isMistakable(part, at) ? { by: escapeOf(part) } : undefined,
  );
}

/**
 * The value with the live one in place of each placeholder: the resource option `ignoreChanges` declares what a read has
 * stored, and a placeholder must not be written. `undefined` if there is no live one.
 *
 * @param onLive called with the path of each placeholder that a live value takes the place of, and with this value.
 */
export function withLiveForPlaceholders(
  value: JsonObject,
  live: JsonValue | undefined,
  path: Root,
  onLive?: (live: JsonValue, path: Path) => void,
): JsonObject;
export function withLiveForPlaceholders(
  value: JsonValue | undefined,
  live: JsonValue | undefined,
  path: Path,
  onLive?: (live: JsonValue, path: Path) => void,
): JsonValue | undefined;
export function withLiveForPlaceholders(
  value: JsonValue | undefined,
  live: JsonValue | undefined,
  path: Path,
  onLive: (live: JsonValue, path: Path) => void = () => {},
): JsonValue | undefined {
  return mapParts<JsonValue | undefined>(value, path, (part, at) => {
    if (part === undefined || !isPlaceholder(part, at)) return undefined;
    const by = valueAt(live, at.slice(path.length));
    if (by !== undefined) onLive(by, at);
    return { by };
  });
}

type OfReference<Value> = (reference: SecretReference, differs: boolean) => Value;

/** What takes the place of a part of a value: nothing, where `by` is undefined. Without a result, its own parts are looked at. */
type Replace<Value> = (part: Value, path: Path) => { by: Value } | undefined;

/** The references and the escapes of a declared value, in other forms. */
function inForms<Value>(forms: {
  reference: OfReference<Value>;
  escape: (literal: JsonObject) => Value;
}): (part: unknown, path: Path) => { by: Value } | undefined {
  return (part, path) => {
    const meaning = meaningOf(part, path);
    if (meaning.kind === "reference") return { by: forms.reference(meaning.reference, meaning.differs) };
    return meaning.kind === "escape" ? { by: forms.escape(meaning.literal) } : undefined;
  };
}

function escapeOf(literal: JsonObject): JsonObject {
  return { literal };
}

/** A value with other parts, as {@link Replace} gives them; the value itself, not a copy, if no part is replaced. */
function mapParts<Value extends JsonValue | undefined>(value: Value, path: Path, replace: Replace<Value>): Value;
function mapParts(value: unknown, path: Path, replace: Replace<unknown>): unknown;
function mapParts(value: unknown, path: Path, replace: Replace<unknown>): unknown {
  const replacement = replace(value, path);
  if (replacement !== undefined) return replacement.by;
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, item]) => {
    return { key, item, part: mapParts(item, [...path, key], replace) };
  });
  if (parts.every(({ item, part }) => part === item)) return value;
  const present = parts.filter(({ item, part }) => part !== undefined || item === undefined);
  if (Array.isArray(value)) return present.map(({ part }) => part);
  return Object.fromEntries(present.map(({ key, part }) => [key, part]));
}
