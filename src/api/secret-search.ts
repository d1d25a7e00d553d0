import { withoutEscapes } from "./without-escapes.ts";

/** Finds secrets in texts that others wrote, in whatever form these repeat them. It reads a text once for any number of secrets. */
export interface SecretSearch {
  add(secret: string): void;
  /** The text with the label in place of each form of a secret. */
  replaceIn(text: string): string;
}

/**
 * @param label what stands in place of a secret.
 * @param minLength the length of the shortest form of a secret that is replaced: a shorter one may be a part of ordinary words.
 */
export function createSecretSearch(label: string, minLength: number): SecretSearch {
  const asWritten = new FormIndex(label, minLength);
  const unescaped = new FormIndex(label, minLength);
  return {
    add: (secret) => {
      for (const form of formsOf(secret)) {
        unescaped.add(withoutEscapes(form).text);
        for (const encoded of encodingsOf(form)) asWritten.add(encoded);
      }
    },
    replaceIn: (original) => {
      if (asWritten.isEmpty()) return original;
      const text = replaceSpans(original, asWritten.spansIn(original), label);
      const plain = withoutEscapes(text);
      if (plain.text === text) return text;
      const startOf = (index: number) => plain.starts[index] ?? text.length;
      const spans = unescaped
        .spansIn(plain.text)
        .map(({ start, end }) => ({ start: startOf(start), end: startOf(end) }));
      return replaceSpans(text, spans, label);
    },
  };
}

/** A part of a text; `end` is not included. */
interface Span {
  start: number;
  end: number;
}

/** Forms of secrets by their first characters, and then by their length: many secrets begin alike and have few lengths. */
class FormIndex {
  readonly #byStart = new Map<string, Map<number, Set<string>>>();
  readonly #label: string;
  readonly #startLength: number;

  constructor(label: string, startLength: number) {
    this.#label = label;
    this.#startLength = startLength;
  }

  isEmpty(): boolean {
    return this.#byStart.size === 0;
  }

  add(form: string): void {
    if (form.length < this.#startLength) return;
    const start = form.slice(0, this.#startLength);
    const byLength = this.#byStart.get(start) ?? new Map<number, Set<string>>();
    const ofLength = byLength.get(form.length);
    if (ofLength !== undefined) ofLength.add(form);
    else this.#byStart.set(start, longestFirst(byLength.set(form.length, new Set([form]))));
  }

  /** Where the text has forms, from left to right, the longest at each place. A label is no part of a form. */
  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    for (let index = 0; index + this.#startLength <= text.length; ) {
      const isLabel = text.startsWith(this.#label, index);
      const length = isLabel ? 0 : this.#lengthAt(text, index);
      if (length > 0) spans.push({ start: index, end: index + length });
      index += Math.max(length, isLabel ? this.#label.length : 1);
    }
    return spans;
  }

  #lengthAt(text: string, index: number): number {
    for (const [length, forms] of this.#byStart.get(text.slice(index, index + this.#startLength)) ?? []) {
      if (forms.has(text.slice(index, index + length))) return length;
    }
    return 0;
  }
}

function longestFirst<Forms>(byLength: Map<number, Forms>): Map<number, Forms> {
  return new Map([...byLength].sort(([one], [other]) => other - one));
}

function replaceSpans(text: string, spans: readonly Span[], label: string): string {
  const parts = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start));
  return [...parts, text.slice(spans.at(-1)?.end ?? 0)].join(label);
}

/** The forms in which others repeat a secret: as it is, with white space collapsed, or in base64. */
function formsOf(secret: string): Set<string> {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return new Set([
    secret,
    secret.replace(/\s+/g, " ").trim(),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
}

/**
 * A form as it is, and in the usual encodings for JSON and URLs. A search without escapes misses these where what stands before
 * them is an escape together with their first characters.
 */
function encodingsOf(form: string): Set<string> {
  const json = JSON.stringify(form).slice(1, -1);
  const wellFormed = form.toWellFormed(); // encodeURIComponent throws on half of a surrogate pair
  return new Set([form, json, encodeURIComponent(wellFormed), encodeURI(wellFormed)]);
}
