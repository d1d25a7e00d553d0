/**
 * Finds secrets in texts that others wrote: as they are, with the escapes of JSON, and encoded for a URL or a form. It reads a text
 * once for any number of secrets.
 */
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
  /** Forms by their first characters, and then by their length: many secrets begin alike and have few lengths. */
  const byStart = new Map<string, Map<number, Set<string>>>();

  const addForm = (form: string) => {
    if (form.length < minLength) return;
    const start = form.slice(0, minLength);
    const byLength = byStart.get(start) ?? new Map<number, Set<string>>();
    const ofLength = byLength.get(form.length);
    if (ofLength !== undefined) ofLength.add(form);
    else byStart.set(start, longestFirst(byLength.set(form.length, new Set([form]))));
  };
  /** The length of the longest form at a place, or 0. */
  const lengthAt = (text: string, index: number) => {
    for (const [length, forms] of byStart.get(text.slice(index, index + minLength)) ?? []) {
      const isFound = length >= partLength || isWord(text, index, index + length);
      if (isFound && forms.has(text.slice(index, index + length))) return length;
    }
    return 0;
  };

  return {
    add: (secret) => formsOf(secret).forEach(addForm),
    replaceIn: (text) => {
      if (byStart.size === 0) return text;
      const parts: string[] = [];
      let copied = 0;
      for (let index = 0; index + minLength <= text.length; ) {
        const isLabel = text.startsWith(label, index); // it stays, although a secret may be a part of it
        const length = isLabel ? 0 : lengthAt(text, index);
        if (length > 0) {
          parts.push(text.slice(copied, index), label);
          copied = index + length;
        }
        index += Math.max(length, isLabel ? label.length : 1);
      }
      return parts.join("") + text.slice(copied);
    },
  };
}

function isWord(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}_]/u.test(text.slice(Math.max(start - 1, 0), start) + text.slice(end, end + 1));
}

function longestFirst<Forms>(byLength: Map<number, Forms>): Map<number, Forms> {
  return new Map([...byLength].sort(([one], [other]) => other - one));
}

/** The secret itself, in JSON (also in ASCII only), and in a URL or a form (with hexadecimal digits of either case). */
function formsOf(secret: string): Set<string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const wellFormed = secret.toWellFormed(); // encodeURIComponent throws on half of a surrogate pair
  const encoded = [encodeURIComponent(wellFormed), new URLSearchParams({ "": wellFormed }).toString().slice(1)];
  return new Set([secret, json, asciiJson(json), ...encoded, ...encoded.map(lowerCaseEscapes)]);
}

function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function lowerCaseEscapes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}
