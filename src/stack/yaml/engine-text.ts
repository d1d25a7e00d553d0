import { type Document, isScalar, Scalar, visit } from "yaml";

/**
 * Whether the Pulumi engine has a string of a stack's file as it is written. The engine reads the file with Go's yaml.v3, writes it
 * again and reads that: a string of several lines becomes a block, which loses a line end at its start, and cannot begin with a
 * tab. Strings with a space at the end of a line, or with characters that a block cannot have, are written in quotes.
 */
export function isHeldByEngine(text: string): boolean {
  const isBlock = text.includes("\n") && !/ $| [\n\u2028\u2029]/.test(text) && !notInBlock.test(text);
  return text.isWellFormed() && !(isBlock && /^[\n\t\u2028\u2029]/.test(text));
}

/** As {@link isHeldByEngine} for a key. The engine takes `<<` for a merge, also in quotes. */
export function isKeyHeldByEngine(key: string): boolean {
  return key !== "<<" && isHeldByEngine(key);
}

const notInBlock = /[^\t\n\x20-\x7e\xa0-\ufefe\uff00-\ufffd]/u;

/** Why the engine does not have a string or a key as it is written. */
export const notHeld = {
  string:
    "is a string of several lines that begins with a line end or a tab, which Pulumi does not read as it is written",
  key: "is a key << or begins with a line end or a tab, which Pulumi does not read as it is written",
} as const;

/** Characters and escapes that the engine reads in another way than JavaScript, or not at all, with their offsets. */
export function unlikeInEngine(text: string, document: Document): { offset: number; reason: string }[] {
  const [raw, escapes] = [[...text.matchAll(rawCharacters)], [...text.matchAll(escapesOfJson)]];
  if (raw.length === 0 && escapes.length === 0) return [];
  const quoted: { isDouble: boolean; start: number; end: number }[] = [];
  visit(document, (_, node) => {
    if (!isScalar(node) || !node.range || !/^QUOTE/.test(node.type ?? "")) return;
    quoted.push({ isDouble: node.type === Scalar.QUOTE_DOUBLE, start: node.range[0], end: node.range[1] });
  });
  const quotedAt = (offset: number) => quoted.find(({ start, end }) => start <= offset && offset < end);
  return [
    ...raw
      .filter(({ index }) => quotedAt(index) === undefined || !keptInQuotes.test(text.slice(index - 1, index + 2)))
      .map(({ index, 0: [character = ""] }) => ({ offset: index, reason: reasonOf(character) })),
    ...escapes
      .filter(({ index }) => quotedAt(index)?.isDouble)
      .map(({ index }) => ({
        offset: index,
        reason: "has an escape that Pulumi does not read, \\/ or half of a character: write the character itself",
      })),
  ];
}

/** A line separator between characters that are no white space: in quotes, the engine does not fold it. */
const keptInQuotes = /^[^ \t\r\n\x85][\u2028\u2029][^ \t\r\n\x85]$/;

/** Characters that YAML does not allow, and those that end a line for Go's reader only. */
const rawCharacters = /\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** `\/`, and `\ud83d` for half of a character, which JSON knows. An escaped backslash before it makes it no escape. */
const escapesOfJson = /(?<=(?<!\\)(?:\\\\)*)\\(?:\/|u[dD][89a-fA-F]|U0000[dD][89a-fA-F])/g;

function reasonOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, "0");
  return (
    `has the character U+${code.toUpperCase()}, which Pulumi reads as a line end or not at all: ` +
    `write it as \\u${code} in double quotes`
  );
}
