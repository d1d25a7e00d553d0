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
export function withoutEscapes(original: string): Unescaped {
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

/** A run of backslashes with what follows it, one character in percent encoding (UTF-8), a character of HTML, or white space. */
const escapePattern =
  /\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[\s\S])?|%(?:[0-7][0-9a-f]|[cd][0-9a-f]%[89ab][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-7](?:%[89ab][0-9a-f]){3})|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);|[\s+]{2,}|\+|[^\S ]/gi;

function resolved(text: string): Unescaped {
  const parts: string[] = [];
  const starts: number[] = [];
  let copied = 0;
  const copyTo = (end: number) => {
    parts.push(text.slice(copied, end));
    for (let index = copied; index < end; index += 1) starts.push(index);
    copied = end;
  };
  for (const { 0: written, index } of text.matchAll(escapePattern)) {
    copyTo(index);
    const meaning = meaningOf(written);
    parts.push(meaning);
    for (let count = 0; count < meaning.length; count += 1) starts.push(index);
    copied = index + written.length;
  }
  copyTo(text.length);
  return { text: parts.join(""), starts: [...starts, text.length] };
}

function meaningOf(written: string): string {
  if (written.startsWith("%")) return Buffer.from(written.replaceAll("%", ""), "hex").toString("utf8");
  if (written.startsWith("&")) return characterOfHtml(written.slice(1, -1).toLowerCase()) ?? written;
  if (!written.startsWith("\\")) return " ";
  const code = written.replace(/^\\+/, "");
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return controlCharacters[code] ?? code;
}

const controlCharacters: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function characterOfHtml(name: string): string | undefined {
  if (!name.startsWith("#")) return namedCharacters[name];
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const namedCharacters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
