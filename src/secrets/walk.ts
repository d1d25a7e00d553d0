import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
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

type Replace<Value> = (reference: SecretReference, differs: boolean) => Value;

/** A declared value with another value in place of each reference, and what an escape stands for in place of the escape. */
export function mapReferences(value: JsonObject, path: Root, replace: Replace<JsonValue>): JsonObject;
export function mapReferences(value: JsonValue, path: Path, replace: Replace<JsonValue>): JsonValue;
export function mapReferences(value: unknown, path: Path, replace: Replace<unknown>): unknown;
export function mapReferences(value: unknown, path: Path, replace: Replace<unknown>): unknown {
  return restated(value, path, { reference: replace, escape: (literal) => literal });
}

/** The declared value of a key, with each reference marked as differing. */
export function differing(value: JsonValue, path: Path): JsonValue {
  return restated(value, path, { reference: differingForm, escape: escapeOf });
}

/** The value as it is declared: without the marks of differing references. */
export function undiffering(value: JsonObject, path: Root): JsonObject;
export function undiffering(value: JsonValue, path: Path): JsonValue;
export function undiffering(value: JsonValue, path: Path): JsonValue {
  return restated(value, path, { reference: declaredForm, escape: escapeOf });
}

/** How a value is restated: the forms of its references and of its escapes. */
interface Forms<Value> {
  reference: Replace<Value>;
  escape(literal: JsonObject): Value;
}

function restated(value: JsonValue, path: Path, forms: Forms<JsonValue>): JsonValue;
function restated(value: unknown, path: Path, forms: Forms<unknown>): unknown;
function restated(value: unknown, path: Path, forms: Forms<unknown>): unknown {
  const inside = (item: unknown, key: string | number) => restated(item, [...path, String(key)], forms);
  if (Array.isArray(value)) return value.map(inside);
  if (!isJsonObject(value)) return value;
  const meaning = meaningOf(value, path);
  if (meaning.kind === "reference") return forms.reference(meaning.reference, meaning.differs);
  if (meaning.kind === "escape") return forms.escape(meaning.literal);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, key)]));
}

function escapeOf(literal: JsonObject): JsonObject {
  return { literal };
}

/** An observed value in the form in which it would be declared: a part that looks like a reference is escaped. */
export function escaped(value: JsonObject, path: Root): JsonObject;
export function escaped(value: JsonValue, path: Path): JsonValue;
export function escaped(value: JsonValue, path: Path): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => escaped(item, [...path, String(index)]));
  if (!isJsonObject(value)) return value;
  if (isMistakable(value, path)) return escapeOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item, [...path, key])]));
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
  if (value !== undefined && isPlaceholder(value, path)) {
    if (live !== undefined) onLive(live, path);
    return live;
  }
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, item]) => {
    return { key, item, part: withLiveForPlaceholders(item, partOf(live, key), [...path, key], onLive) };
  });
  if (parts.every(({ item, part }) => part === item)) return value;
  const present = parts.flatMap(({ key, part }): [string, JsonValue][] => (part === undefined ? [] : [[key, part]]));
  return Array.isArray(value) ? present.map(([, part]) => part) : Object.fromEntries(present);
}
