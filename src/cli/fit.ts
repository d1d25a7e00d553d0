/** Characters in a line of the tables. */
export const lineWidth = 80;

/** The string with at most `width` characters. The last one is `…` if the string is cut. */
export function clip(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

/** A sentence as lines with at most so many characters. Only a word that is longer than a line is cut. */
export function wrap(text: string, width: number): string[] {
  const words = text.split(" ").flatMap((word) => word.match(new RegExp(`.{1,${width}}`, "gsu")) ?? []);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A sentence below a heading. All but its first line are indented further. */
export function indented(text: string, indent = "  "): string {
  const [first = "", ...rest] = wrap(text, lineWidth - indent.length - 2);
  return [`${indent}${first}`, ...rest.map((line) => `${indent}  ${line}`)].join("\n");
}

/**
 * Widths of columns for rows that fit {@link lineWidth} with two spaces between. The column that is furthest above its minimum
 * shrinks first, and none below its minimum.
 */
export function columnWidths(rows: readonly (readonly string[])[], minimums: readonly number[]): number[] {
  const widths = minimums.map((_, at) => Math.max(...rows.map((row) => [...(row[at] ?? "")].length)));
  const spare = () => lineWidth - widths.reduce((sum, width) => sum + width + 2, -2);
  while (spare() < 0) {
    const excess = widths.map((width, at) => width - (minimums[at] ?? 0));
    const widest = excess.indexOf(Math.max(...excess));
    if ((excess[widest] ?? 0) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
