import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** The columns of a terminal that a line of the tables takes at most. */
export const lineWidth = 80;

/** The string in at most `width` columns of a terminal. It ends with `…` if it is cut. */
export function clip(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const [start] = wrapAnsi(text, width - 1, { hard: true, wordWrap: false, trim: false }).split("\n", 1);
  return `${start}…`;
}

/** The string, followed by spaces until it takes `width` columns of a terminal. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** A sentence as lines of at most `width` columns of a terminal. Only a word that is longer than a line is cut. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width, { hard: true }).split("\n");
}

/** A sentence below a heading. All but its first line are indented further. */
export function indented(text: string, indent = "  "): string {
  const [first = "", ...rest] = wrap(text, lineWidth - indent.length - 2);
  return [`${indent}${first}`, ...rest.map((line) => `${indent}  ${line}`)].join("\n");
}

/** Rows as lines of text, with columns as wide as their longest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = longestCells(rows);
  return rows
    .map((row) =>
      row
        .map((cell, i) => pad(cell, widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The width of the longest cell of each column, in columns of a terminal. */
export function longestCells(rows: readonly (readonly string[])[]): number[] {
  return rows.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, stringWidth(cell))), []);
}

/**
 * Widths of columns for rows that fit {@link lineWidth} with two spaces between. The column that is furthest above its minimum
 * shrinks first, and none below its minimum.
 */
export function columnWidths(rows: readonly (readonly string[])[], minimums: readonly number[]): number[] {
  const widths = longestCells(rows);
  const spare = () => lineWidth - widths.reduce((sum, width) => sum + width + 2, -2);
  while (spare() < 0) {
    const excess = widths.map((width, at) => width - (minimums[at] ?? 0));
    const widest = excess.indexOf(Math.max(...excess));
    if ((excess[widest] ?? 0) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
