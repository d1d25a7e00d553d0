import { isSecret } from "../program.ts";
import type { Properties } from "./state.ts";

const signatureKey = "4dabf18193072939515e22adb298388d";

/** Removes the marks of secrets, as the engine does for a provider that does not accept secrets. */
export function withoutMarks(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, plain(value)]));
}

/** Converts a provider's response as the wire does: drops `undefined` and keeps the marks of secrets. */
export function fromProvider(properties: unknown): Record<string, unknown> {
  return Object(marked(JSON.parse(JSON.stringify(properties))));
}

/** Marks the provider's response wherever its input properties were marked, as the engine does. */
export function markedLike(answer: Properties, handed: Properties): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, markLike(value, handed[key])]));
}

/** The paths of the marked values. */
export function pathsOfSecrets(value: unknown, path: readonly string[] = []): string[][] {
  if (isSecret(value)) return [[...path]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => pathsOfSecrets(item, [...path, key]));
}

function plain(value: unknown): unknown {
  if (isSecret(value)) return plain(value.$secret);
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? withoutMarks(value) : value;
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked);
  if (!isObject(value)) return value;
  if (signatureKey in value) return { $secret: value.value };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, marked(item)]));
}

function markLike(value: unknown, handed: unknown): unknown {
  if (isSecret(value)) return value;
  if (isSecret(handed)) return { $secret: value };
  if (Array.isArray(value))
    return value.map((item, index) => markLike(item, Array.isArray(handed) ? handed[index] : undefined));
  return isObject(value) && isObject(handed) ? markedLike(value, handed) : value;
}

function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
