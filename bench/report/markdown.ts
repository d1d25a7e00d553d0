/** Rows as a Markdown table. The first row is the heading. */
export function markdownTable([heading = [], ...rows]: readonly (readonly string[])[]): string {
  return [heading, heading.map(() => "---"), ...rows].map(line).join("\n");
}

function line(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${withDashes(cell)} `)).join("|")}|`;
}

/** Ranges of numbers with an en dash. */
function withDashes(cell: string): string {
  return cell.replace(/(?<=\d)-(?=\d)/g, "–");
}
