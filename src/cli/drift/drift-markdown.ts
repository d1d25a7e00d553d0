import { type DriftRow, type DriftText, driftColumns } from "./drift-rows.ts";

/** GitHub takes comments of 65,536 characters; the rest is for what stands beside the drift. */
const charactersMaximum = 30_000;

/**
 * A drift as Markdown, for a comment on a pull request or a summary of a job. Rows that do not fit are counted. No text of
 * the platform's can act as Markdown or HTML, nor mention anybody.
 */
export function driftMarkdown({ stack, summary, parts }: DriftText): string {
  const head = `### Drift of stack ${code(stack)}\n\n${summary}\n`;
  let left = charactersMaximum - head.length;
  const sections = parts.map(({ title, rows }) => {
    const top = `\n**${title}**\n\n${line(driftColumns)}${line(driftColumns.map(() => "---"))}`;
    left -= top.length;
    const lines = rows.map((row) => line(row.map(code)));
    const fitting = lines.filter((text) => {
      left -= text.length;
      return left > 0;
    });
    const missing = rows.length - fitting.length;
    return top + fitting.join("") + (missing === 0 ? "" : `\n... and ${missing} more, see the JSON or the HTML.\n`);
  });
  return head + sections.join("");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** In an element, not between backticks, which cannot hold every text; each sign as a reference, which is never markup. */
function code(text: DriftRow[number]): string {
  const escaped = text.replace(/[^\p{L}\p{N} ,-]/gu, (sign) => `&#${sign.codePointAt(0)};`);
  return `<code>${escaped}</code>`;
}
