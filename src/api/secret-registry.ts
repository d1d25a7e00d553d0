import type { Redact } from "./redaction.ts";
import { createSecretSearch } from "./secret-search.ts";

/**
 * Secret values that no error message may show. A platform may repeat in any message what a request sent. Values are added
 * as they become known and are never removed. One registry can serve several clients.
 */
export interface SecretRegistry {
  /** Adds a secret: a string, a number, or every string and number inside an object or list. Booleans are ignored. */
  add(value: unknown): void;
  /** Replaces the registered secrets of 6 characters or more with `[secret]`, also if they are encoded for JSON, URLs or HTML, or in base64. */
  redact: Redact;
  /**
   * Whether a value holds a registered secret of fewer than 6 characters. Such a secret cannot be replaced in a message,
   * as it may also be a part of ordinary words. So no message about a request with this value may be shown.
   */
  hasShort(value: unknown): boolean;
}

const minRedactedLength = 6;

/** Creates an empty registry, for the client option `secrets`. */
export function createSecretRegistry(): SecretRegistry {
  const all = new Set<string>();
  const short = new Set<string>();
  const search = createSecretSearch("[secret]", minRedactedLength);

  const addString = (secret: string) => {
    if (all.has(secret)) return;
    all.add(secret);
    if (secret.length < minRedactedLength) short.add(secret);
    else search.add(secret);
  };

  return {
    add: (value) => stringsIn(value).forEach(addString),
    redact: search.replaceIn,
    hasShort: (value) => short.size > 0 && stringsIn(value).some((text) => short.has(text)),
  };
}

/** The strings in a value, and its numbers as decimals. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
