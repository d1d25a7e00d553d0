import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import { isPlaceholder } from "./placeholders.ts";
import {
  declaredForm,
  differingForm,
  hasReferenceForm,
  isDiffering,
  literalOf,
  referenceOf,
  type SecretReference,
} from "./reference.ts";

type Path = readonly string[];

/** A reference and where it is within a value. */
export interface PlacedReference {
  path: Path;
  reference: SecretReference;
}

/** The references inside a declared value, without those in escapes. */
export function referencesIn(value: unknown, path: Path = []): PlacedReference[] {
  if (typeof value !== "object" || value === null || literalOf(value) !== undefined) return [];
  const reference = referenceOf(value);
  if (reference !== undefined) return [{ path, reference }];
  return Object.entries(value).flatMap(([key, item]) => referencesIn(item, [...path, key]));
}

/** Whether a declared value is or contains a reference. */
export function hasReference(value: unknown): boolean {
  if (typeof value !== "object" || value === null || literalOf(value) !== undefined) return false;
  return referenceOf(value) !== undefined || Object.values(value).some(hasReference);
}

/** Whether a value is or contains an observed reference whose value the platform does not have. */
export function hasDiffering(value: unknown): boolean {
  if (typeof value !== "object" || value === null || literalOf(value) !== undefined) return false;
  return isDiffering(value) || Object.values(value).some(hasDiffering);
}

/** The parts of a declared value that have the form of a reference but are none, with their paths. */
export function malformedIn(value: unknown, path: Path = []): { path: Path; value: JsonObject }[] {
  if (typeof value !== "object" || value === null || literalOf(value) !== undefined) return [];
  if (hasReferenceForm(value)) return referenceOf(value) === undefined ? [{ path, value }] : [];
  return Object.entries(value).flatMap(([key, item]) => malformedIn(item, [...path, key]));
}

/** A declared value with another value in place of each reference, and what an escape stands for in place of the escape. */
export function mapReferences(
  value: JsonObject,
  replace: (reference: SecretReference, value: JsonObject) => JsonValue,
): JsonObject;
export function mapReferences(
  value: JsonValue,
  replace: (reference: SecretReference, value: JsonObject) => JsonValue,
): JsonValue;
export function mapReferences(
  value: unknown,
  replace: (reference: SecretReference, value: JsonObject) => unknown,
): unknown;
export function mapReferences(
  value: unknown,
  replace: (reference: SecretReference, value: JsonObject) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, replace));
  if (!isJsonObject(value)) return value;
  const literal = literalOf(value);
  if (literal !== undefined) return literal.value;
  const reference = referenceOf(value);
  if (reference !== undefined) return replace(reference, value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapReferences(item, replace)]));
}

/** The declared value with each reference marked as differing. */
export function differing(value: JsonValue): JsonValue {
  return restated(value, differingForm);
}

/** The value as it is declared: without the marks of differing references. */
export function undiffering(value: JsonObject): JsonObject;
export function undiffering(value: JsonValue): JsonValue;
export function undiffering(value: JsonValue): JsonValue {
  return restated(value, declaredForm);
}

function restated(value: JsonValue, form: (reference: SecretReference) => JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item) => restated(item, form));
  if (!isJsonObject(value) || literalOf(value) !== undefined) return value;
  const reference = referenceOf(value);
  if (reference !== undefined) return form(reference);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restated(item, form)]));
}

/** An observed value in the form in which it would be declared: a part that looks like a reference is escaped. */
export function escaped(value: JsonObject): JsonObject;
export function escaped(value: JsonValue): JsonValue;
export function escaped(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => escaped(item));
  if (!isJsonObject(value)) return value;
  if (isMistakable(value)) return { literal: value };
  const entries = Object.entries(value);
  const mapped = entries.map(([key, item]): [string, JsonValue] => [key, escaped(item)]);
  return mapped.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(mapped) : value;
}

/** Whether an observed value would be read as a reference or an escape if it were declared. */
export function isMistakable(value: JsonValue | undefined): boolean {
  return hasReferenceForm(value) || literalOf(value) !== undefined;
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
  onLive?: (live: JsonValue, path: Path) => void,
): JsonObject;
export function withLiveForPlaceholders(
  value: JsonValue | undefined,
  live: JsonValue | undefined,
  onLive?: (live: JsonValue, path: Path) => void,
  path?: Path,
): JsonValue | undefined;
export function withLiveForPlaceholders(
  value: JsonValue | undefined,
  live: JsonValue | undefined,
  onLive: (live: JsonValue, path: Path) => void = () => {},
  path: Path = [],
): JsonValue | undefined {
  if (value !== undefined && isPlaceholder(value)) {
    if (live !== undefined) onLive(live, path);
    return live;
  }
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, item]) => {
    return { key, item, part: withLiveForPlaceholders(item, partOf(live, key), onLive, [...path, key]) };
  });
  if (parts.every(({ item, part }) => part === item)) return value;
  const present = parts.flatMap(({ key, part }): [string, JsonValue][] => (part === undefined ? [] : [[key, part]]));
  return Array.isArray(value) ? present.map(([, part]) => part) : Object.fromEntries(present);
}
