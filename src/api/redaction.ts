import { inspect } from "node:util";
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
  const shown = inspect(cause, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity });
  const clean = redact(shown);
  return clean === shown ? cause : new Error(redact(cause instanceof Error ? cause.message : "unknown"));
}

/** A JSON value with the secrets in its strings replaced. Its keys stay. */
export function redactStrings(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, redact));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactStrings(item, redact)]));
}
