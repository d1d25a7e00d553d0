/** A text without escapes. */
export interface Unescaped {
  text: string;
  /** Where each character of `text` begins in the original; at the end, the length of the original. */
  starts: readonly number[];
}

/**
 * Resolves the escapes of JSON and of string literals, of URLs and forms, and of HTML, also escapes of escapes, and makes each
 * white space a single space. It need not know which of them a text has: what looks like an escape counts as one. So the result
 * serves only for the comparison with another text that is treated in the same way.
 */
export function unescaped(original: string): string {
  let text = original;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const next = text.replace(escapePattern, meaningOf);
    if (next === text) break;
    text = next;
  }
  return text;
}

/** As {@link unescaped}, with the places of the characters in the original. */
export function unescapedWithStarts(original: string): Unescaped {
  let current: Unescaped = { text: original, starts: Array.from({ length: original.length + 1 }, (_, index) => index) };
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const next = resolved(current.text);
    if (next.text === current.text) break;
    const { starts } = current;
    current = { text: next.text, starts: next.starts.map((index) => starts[index] ?? original.length) };
  }
  return current;
}

/** JSON in JSON in JSON, for a URL, in HTML; more occur in no response. */
const maxLayers = 5;

const hex = "[0-9a-fA-F]";
const byte = (first: string) => String.raw`(?:%|\\+x)${first}${hex}`;
const nextByte = byte("[89abAB]");

/** The longest first: characters in UTF-8, other characters after backslashes, characters of HTML, and white space. */
const escapePattern = new RegExp(
  [
    byte("[0-7]"),
    `${byte("[cdCD]")}${nextByte}`,
    `${byte("[eE]")}(?:${nextByte}){2}`,
    `${byte("[fF]")}(?:${nextByte}){3}`,
    String.raw`\\+(?:u${hex}{4}|U000${hex}{5}|x${hex}{2}|[\s\S])?`,
    String.raw`&(?:#\d{1,7}|#[xX]${hex}{1,6}|amp|lt|gt|quot|apos);`,
    String.raw`[\s+]{2,}|\+|[^\S ]`,
  ].join("|"),
  "g",
);

function resolved(text: string): Unescaped {
  const parts: string[] = [];
  const starts: number[] = [];
  let copied = 0;
  const copyTo = (end: number) => {
    parts.push(text.slice(copied, end));
    for (let index = copied; index < end; index += 1) starts.push(index);
  };
  for (const { 0: written, index } of text.matchAll(escapePattern)) {
    copyTo(index);
    const meaning = meaningOf(written);
    parts.push(meaning);
    for (let count = 0; count < meaning.length; count += 1) starts.push(index);
    copied = index + written.length;
  }
  copyTo(text.length);
  starts.push(text.length);
  return { text: parts.join(""), starts };
}

function meaningOf(written: string): string {
  if (written.startsWith("&")) return characterOfHtml(written.slice(1, -1).toLowerCase()) ?? written;
  if (/^(?:%|\\+x[0-9a-fA-F]{2})/.test(written)) return characterOfBytes(written.replace(/%|\\+x/g, ""));
  if (!written.startsWith("\\")) return " ";
  const code = written.replace(/^\\+/, "");
  if (code.length > 1) return characterOf(Number.parseInt(code.slice(1), 16)) ?? code;
  return controlCharacters[code] ?? code;
}

const controlCharacters: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** A character in UTF-8, or in Latin-1 if its only byte is none of UTF-8. */
function characterOfBytes(digits: string): string {
  return Buffer.from(digits, "hex").toString(digits.length === 2 ? "latin1" : "utf8");
}

function characterOfHtml(name: string): string | undefined {
  if (!name.startsWith("#")) return namedCharacters[name];
  return characterOf(name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

const namedCharacters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function characterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
