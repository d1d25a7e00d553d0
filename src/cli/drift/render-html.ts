import { html, raw } from "hono/html";
import type { Drift } from "./find-drift.ts";
import { driftColumns, driftReport } from "./render.ts";

/** A drift as an HTML page in one file: it has no scripts and loads nothing. */
export function renderHtml(drift: Drift): string {
  const { stack, summary, sections } = driftReport(drift);
  const tables = sections.map(
    ({ title, rows }) => html`
    <section>
      <h2>${title}</h2>
      <table>
        <thead><tr>${driftColumns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
        <tbody>
          ${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td><code>${cell}</code></td>`)}</tr>\n`)}
        </tbody>
      </table>
    </section>`,
  );
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="viewport" content="width=device-width">
    <title>Drift of stack ${stack}</title>
    <style>${raw(style)}</style>
  </head>
  <body>
    <h1>Drift of stack <code>${stack}</code></h1>
    <p>${summary}</p>${tables}
  </body>
</html>
`;
  return String(page);
}

const style = `
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; vertical-align: top; padding: .4rem .8rem; border-bottom: 1px solid #8886; }
      td { overflow-wrap: anywhere; }
      section { overflow-x: auto; }
    `;
