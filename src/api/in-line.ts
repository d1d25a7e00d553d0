/** A server's words are shown on terminals: what would end the line, or means something to a terminal, becomes a space. */
export function inLine(text: string): string {
  return text.replace(unprintable, " ");
}

/** Control characters, the line ends of Unicode, marks that turn the direction of text, and the byte order mark. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
