/**
 * A string as one line for a terminal, a comment or YAML. Names and messages of others may hold line ends and control
 * characters, which could forge a line or command the terminal: each is escaped as in JSON.
 */
export function oneLine(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As {@link oneLine} for each line of a message whose line ends are meant. A name of others in it must be one line already. */
export function eachOneLine(text: string): string {
  return text.split("\n").map(oneLine).join("\n");
}

/** As {@link oneLine}, with a space in place of each such character: for sentences, which nobody copies. */
export function withoutControlCharacters(text: string): string {
  return text.replace(unprintable, " ");
}

/** Control characters, halves of characters, what is no character, line ends of Unicode, marks that change the direction of text, and the byte order mark. */
const unprintable = /[\p{Cc}\p{Cs}\ufffe\uffff\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
