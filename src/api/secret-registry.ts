import type { Redact } from "./redaction.ts";
import { createSecretSearch } from "./secret-search.ts";

/**
 * Secret values that no error message may show. A platform may repeat in any message what a request sent. Values are added
 * as they become known and are never removed. One registry can serve several clients.
 */
export interface SecretRegistry {
  /** Adds a secret: a string, a number, or every string and number inside an object or list. Booleans are ignored. */
  add(value: unknown): void;
  /** Replaces the registered secrets of 6 characters or more with `[secret]`, also with the escapes of JSON or of URLs. */
  redact: Redact;
  /**
   * Adds what may be a secret, where nobody knows. It takes strings and numbers as `add` does, but those of fewer than 4
   * characters are too common.
   */
  addPossible(value: unknown): void;
  /**
   * As `redact`, for a text that the platform wrote: it also replaces what may be a secret, and a short one where it is a
   * word. A text of our own has the names of keys and tenants.
   */
  redactAnswer: Redact;
  /** Whether a value holds what may be a secret. */
  mayHoldSecret(value: unknown): boolean;
  /**
   * Whether a value holds a registered secret of fewer than 6 characters. Such a secret cannot be replaced in a message,
   * as it may also be a part of ordinary words. So no message about a request with this value may be shown.
   */
  hasShort(value: unknown): boolean;
}

const minRedactedLength = 6;
const minPossibleLength = 4;

/** Creates an empty registry, for the client option `secrets`. */
export function createSecretRegistry(): SecretRegistry {
  const all = new Set<string>();
  const short = new Set<string>();
  const search = createSecretSearch("[secret]", minRedactedLength);
  const possible = new Set<string>();
  const answerSearch = createSecretSearch("[secret]", minPossibleLength, minRedactedLength);
  const notInAnswers = new Set<string>(); // they are added at the first answer: a fleet has many values, and rarely a refusal

  const addString = (secret: string) => {
    if (all.has(secret)) return;
    all.add(secret);
    if (secret.length < minRedactedLength) {
      short.add(secret);
      return;
    }
    search.add(secret);
    notInAnswers.add(secret);
  };

  return {
    add: (value) => stringsIn(value).forEach(addString),
    redact: search.replaceIn,
    addPossible: (value) => {
      for (const text of stringsIn(value)) {
        if (text.length < minPossibleLength || possible.has(text)) continue;
        possible.add(text);
        notInAnswers.add(text);
      }
    },
    redactAnswer: (text) => {
      notInAnswers.forEach(answerSearch.add);
      notInAnswers.clear();
      return answerSearch.replaceIn(text);
    },
    mayHoldSecret: (value) => stringsIn(value).some((text) => possible.has(text)),
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
