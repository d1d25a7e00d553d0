import { headEntries, type ReportHead } from "../html-report/report-head.ts";
import { code, line } from "../markdown.ts";
import type { Drift } from "./find-drift.ts";
import { describeNotes, driftReport } from "./render.ts";

/** Less than half of the 65,536 characters of a comment on GitHub: the rest is for other text in the same comment. */
const charactersMaximum = 30_000;

/**
 * A drift as Markdown, for a comment on a pull request or the summary of a job. Rows that do not fit are counted. No value
 * from the platform can act as Markdown or HTML, or mention a user.
 */
export function renderMarkdown(drift: Drift, head: ReportHead): string {
  const report = driftReport(drift);
  const { stack, summary, columns, sections } = report;
  const from = headEntries(head).map(([name, value]) => `${name} ${code(value)}`);
  const top = `### Drift of stack ${code(stack)}\n\n${summary}\n\n${from.join(" · ")}\n`;
  let left = charactersMaximum - top.length;
  const items = describeNotes(report, code).map((sentence) => `- ${sentence}\n`);
  const listed = items.filter((text) => {
    const fits = left - text.length > charactersMaximum / 2; // the other half is for the rows
    if (fits) left -= text.length;
    return fits;
  });
  const unlisted = items.length - listed.length;
  const rest = unlisted === 0 ? "" : `- ... and ${unlisted} more tenants: see the JSON or HTML report.\n`;
  const list = items.length === 0 ? "" : `\n${listed.join("")}${rest}`;
  const shown = sections.map(({ title, rows }) => {
    const start = `\n**${title}**\n\n${line(columns)}${line(columns.map(() => "---"))}`;
    left -= start.length;
    const lines = rows.map((row) => line(row.map(code)));
    const fitting = lines.filter((text) => {
      left -= text.length;
      return left > 0;
    });
    const missing = rows.length - fitting.length;
    return (
      start + fitting.join("") + (missing === 0 ? "" : `\n... and ${missing} more rows: see the JSON or HTML report.\n`)
    );
  });
  return top + list + shown.join("");
}
