import { unescaped, unescapedWithStarts } from "./without-escapes.ts";

/** Finds secrets in texts that others wrote, in whatever form these repeat them. It reads a text once for any number of secrets. */
export interface SecretSearch {
  add(secret: string): void;
  /** The text with the label in place of each form of a secret. */
  replaceIn(text: string): string;
}

/**
 * @param label what stands in place of a secret.
 * @param minLength the length of the shortest form of a secret that is replaced: a shorter one may be a part of ordinary words.
 * @param partLength the length from which a form is also replaced within a word.
 */
export function createSecretSearch(label: string, minLength: number, partLength = minLength): SecretSearch {
  const asWritten = new FormIndex(label, minLength, partLength);
  const withoutEscapes = new FormIndex(label, minLength, partLength);
  return {
    add: (secret) => {
      for (const form of formsOf(secret)) withoutEscapes.add(unescaped(form));
      for (const encoded of encodingsOf(secret)) asWritten.add(encoded);
    },
    replaceIn: (text) => {
      if (asWritten.isEmpty()) return text;
      const spans = asWritten.spansIn(text);
      const found = withoutEscapes.spansIn(unescaped(text)).length > 0 ? spansWithEscapes(text, withoutEscapes) : [];
      return replaceSpans(text, union([...spans, ...found]), label);
    },
  };
}

/** Where the text has forms if its escapes are resolved. */
function spansWithEscapes(original: string, forms: FormIndex): Span[] {
  const { text, starts } = unescapedWithStarts(original);
  const startOf = (index: number) => starts[index] ?? original.length;
  return forms.spansIn(text).map(({ start, end }) => ({ start: startOf(start), end: startOf(end) }));
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
  readonly #partLength: number;

  constructor(label: string, startLength: number, partLength: number) {
    this.#label = label;
    this.#startLength = startLength;
    this.#partLength = partLength;
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

  /** Where the text has forms, from left to right, the longest at each place. A label that stands there already is skipped. */
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
      const isFound = length >= this.#partLength || isWord(text, index, index + length);
      if (isFound && forms.has(text.slice(index, index + length))) return length;
    }
    return 0;
  }
}

function isWord(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}_]/u.test(text.slice(Math.max(start - 1, 0), start) + text.slice(end, end + 1));
}

function longestFirst<Forms>(byLength: Map<number, Forms>): Map<number, Forms> {
  return new Map([...byLength].sort(([one], [other]) => other - one));
}

/** What any of the spans covers, from left to right. A short secret may be a part of a longer one that only one search finds. */
function union(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else all.push({ ...span });
  }
  return all;
}

function replaceSpans(text: string, spans: readonly Span[], label: string): string {
  const parts = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start));
  return [...parts, text.slice(spans.at(-1)?.end ?? 0)].join(label);
}

/** The forms in which others repeat a secret, apart from escapes: as it is, with white space collapsed, or in base64. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const base64url = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [secret, secret.replace(/\s+/g, " ").trim(), base64, base64url];
}

/**
 * The forms in the usual encodings for JSON, URLs, forms and HTML. A search without escapes misses these where what stands before
 * them looks like an escape together with their first characters, and where little is left without escapes.
 */
function encodingsOf(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const wellFormed = secret.toWellFormed(); // encodeURIComponent throws on half of a surrogate pair
  const inForm = new URLSearchParams({ "": wellFormed }).toString().slice(1);
  const inUrl = [encodeURIComponent(wellFormed), inForm, encodeURI(wellFormed)];
  return new Set([
    ...formsOf(secret),
    json,
    json.replaceAll("/", "\\/"),
    asciiJson(json),
    JSON.stringify(json).slice(1, -1), // JSON in a string of JSON
    ...inUrl.flatMap((encoded) => [encoded, lowerCaseEscapes(encoded)]),
    escapeHtml(secret, "&#39;"),
    escapeHtml(secret, "&#x27;"),
  ]);
}

function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function lowerCaseEscapes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}

function escapeHtml(text: string, apostrophe: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": apostrophe };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
