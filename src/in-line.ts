/**
 * A text as it can stand in a line of a terminal, of a comment or of YAML: what would end the line, or means something to
 * a terminal, is escaped as in JSON. Names and keys are somebody else's, and may hold anything.
 */
export function inLine(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control characters, the line ends of Unicode, marks that turn the direction of text, and the byte order mark. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
