import { createSecretSearch } from "./secret-search.ts";

/** Replaces secrets in a string that somebody else wrote, such as the body of a response. */
export type Redact = (text: string) => string;

/** Creates a function that replaces the API key with `[API key]`: a server or a proxy may echo the request's headers. */
export function createRedact(apiKey: string): Redact {
  const search = createSecretSearch("[API key]", 1);
  search.add(apiKey);
  return search.replaceIn;
}

/** The error itself where it holds no secret, not even in a quoted response; else one with the redacted message only. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  if (stringsOf(cause).every((text) => redact(text) === text)) return cause;
  return new Error(redact(cause instanceof Error ? cause.message : "unknown"));
}

/** The strings in a value at any depth, also in what is not enumerable, such as the message of an error. */
function stringsOf(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => stringsOf(Reflect.get(value, key), seen));
}

/** A JSON value with the secrets in its strings replaced. Its keys stay. */
export function redactStrings(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, redact));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactStrings(item, redact)]));
}
