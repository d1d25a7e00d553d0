/** A row of a table. */
export function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** A `code` element with character references, which are never markup. Backticks cannot hold every string. */
export function code(text: string): string {
  const escaped = text.replace(/[^\p{L}\p{N} ,-]/gu, (character) => `&#${character.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}
