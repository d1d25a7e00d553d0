import type { Redact } from "./redaction.ts";
import { spellingsOf } from "./spellings.ts";

/**
 * The secret values that have been handed to a client or a provider: a platform may repeat what it was sent, in any
 * message. Values are added as they become known, and are never forgotten.
 */
export interface KnownSecrets {
  /** Adds a secret value, or all that is in it. Booleans are no secrets: there are two. */
  add(value: unknown): void;
  /** Takes the secrets of 6 characters and more out of a text, however they are encoded. */
  redact: Redact;
  /**
   * Whether a value holds a secret of fewer characters. Those cannot be taken out of a text, in which such a word may
   * stand of itself: what answers to such a value must not be repeated at all.
   */
  hasShort(value: unknown): boolean;
}

/** What stands in place of a secret. */
const label = "[secret]";
const lengthMinimum = 6;

export function createKnownSecrets(): KnownSecrets {
  const known = new Set<string>();
  const short = new Set<string>();
  /** The spellings by how they begin, the longest first: a text is read once, however many secrets there are. */
  const spellingsByStart = new Map<string, string[]>();

  const addText = (secret: string) => {
    if (known.has(secret)) return;
    known.add(secret);
    if (secret.length < lengthMinimum) {
      short.add(secret);
      return;
    }
    for (const spelling of spellingsOf(secret)) {
      if (spelling.length < lengthMinimum) continue;
      const start = spelling.slice(0, lengthMinimum);
      const others = spellingsByStart.get(start) ?? [];
      spellingsByStart.set(
        start,
        [...others, spelling].sort((one, other) => other.length - one.length),
      );
    }
  };

  const lengthAt = (text: string, index: number): number => {
    const spellings = spellingsByStart.get(text.slice(index, index + lengthMinimum)) ?? [];
    return spellings.find((spelling) => text.startsWith(spelling, index))?.length ?? 0;
  };

  return {
    add: (value) => textsIn(value).forEach(addText),
    redact: (text) => {
      if (spellingsByStart.size === 0) return text;
      const parts: string[] = [];
      let copied = 0;
      for (let index = 0; index + lengthMinimum <= text.length; ) {
        const length = text.startsWith(label, index) ? 0 : lengthAt(text, index);
        if (length > 0) {
          parts.push(text.slice(copied, index), label);
          copied = index + length;
        }
        index += Math.max(length, text.startsWith(label, index) ? label.length : 1);
      }
      return [...parts, text.slice(copied)].join("");
    },
    hasShort: (value) => short.size > 0 && textsIn(value).some((text) => short.has(text)),
  };
}

/** The strings in a value, and its numbers as they are written. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
