import { encodingsOf, type Redact } from "./redaction.ts";

/**
 * Secret values that no error message may show. A platform may repeat in any message what a request sent. Values are added
 * as they become known and are never removed. One registry can serve several clients.
 */
export interface SecretRegistry {
  /** Adds a secret: a string, a number, or every string and number inside an object or list. Booleans are ignored. */
  add(value: unknown): void;
  /** Replaces the registered secrets of 6 characters or more, however they are encoded, with `[secret]`. */
  redact: Redact;
  /**
   * Whether a value holds a registered secret of fewer than 6 characters. Such a secret cannot be replaced in a message,
   * as it may also be a part of ordinary words. So no message about a request with this value may be shown.
   */
  hasShort(value: unknown): boolean;
}

const label = "[secret]";
const minRedactedLength = 6;

/** Creates an empty registry, for the client option `secrets`. */
export function createSecretRegistry(): SecretRegistry {
  const all = new Set<string>();
  const short = new Set<string>();
  /** Encodings by their first characters: a text is read once, however many secrets there are. */
  const encodingsByStart = new Map<string, EncodingsByLength>();

  const addString = (secret: string) => {
    if (all.has(secret)) return;
    all.add(secret);
    if (secret.length < minRedactedLength) {
      short.add(secret);
      return;
    }
    for (const encoding of encodingsOf(secret)) {
      if (encoding.length < minRedactedLength) continue;
      const start = encoding.slice(0, minRedactedLength);
      const byLength: EncodingsByLength = encodingsByStart.get(start) ?? new Map();
      const ofLength = byLength.get(encoding.length);
      if (ofLength !== undefined) ofLength.add(encoding);
      else encodingsByStart.set(start, longestFirst(byLength.set(encoding.length, new Set([encoding]))));
    }
  };

  const secretLengthAt = (text: string, index: number): number => {
    for (const [length, encodings] of encodingsByStart.get(text.slice(index, index + minRedactedLength)) ?? []) {
      if (encodings.has(text.slice(index, index + length))) return length;
    }
    return 0;
  };

  return {
    add: (value) => stringsIn(value).forEach(addString),
    redact: (text) => {
      if (encodingsByStart.size === 0) return text;
      const parts: string[] = [];
      let copied = 0;
      for (let index = 0; index + minRedactedLength <= text.length; ) {
        const isLabel = text.startsWith(label, index);
        const length = isLabel ? 0 : secretLengthAt(text, index);
        if (length > 0) {
          parts.push(text.slice(copied, index), label);
          copied = index + length;
        }
        index += Math.max(length, isLabel ? label.length : 1);
      }
      return [...parts, text.slice(copied)].join("");
    },
    hasShort: (value) => short.size > 0 && stringsIn(value).some((text) => short.has(text)),
  };
}

/** The longest first. Many secrets have the same first characters and few lengths, so each is added and found in a few steps. */
type EncodingsByLength = Map<number, Set<string>>;

function longestFirst(byLength: EncodingsByLength): EncodingsByLength {
  return new Map([...byLength].sort(([one], [other]) => other - one));
}

/** The strings in a value, and its numbers as decimals. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
