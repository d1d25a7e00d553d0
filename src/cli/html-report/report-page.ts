import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { pageStyle } from "./page-style.ts";
import { headEntries, type ReportHead } from "./report-head.ts";

export type Html = ReturnType<typeof html>;

/** A report as an HTML page in one file, to send on: it loads nothing, and can be read without its script. */
export interface ReportPage {
  /** What the report is about, before the name of the stack: `Drift of stack`. */
  title: string;
  /** Name of the stack, in one line. */
  stack: string;
  head: ReportHead;
  /** The result in a sentence. */
  summary: string;
  /** What follows the summary in the page's head. */
  notes?: Html | string;
  content: Html | string;
  script?: string;
}

/** The text of a {@link ReportPage}. */
export function renderPage({ title, stack, head, summary, notes = "", content, script }: ReportPage): string {
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(script)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} ${stack}, ${head.createdAt}</title>
    <style>${raw(pageStyle)}</style>
  </head>
  <body>
    <header>
      <h1>${title} <code>${stack}</code></h1>
      <dl>${headEntries(head).map(([label, text]) => html`<div><dt>${label}</dt><dd>${linked(label, text)}</dd></div>`)}</dl>
      <p class="summary">${summary}</p>
      ${notes}
    </header>
    ${content}${
      script === undefined
        ? ""
        : html`
    <script>${raw(script)}</script>`
    }
  </body>
</html>
`;
  return String(page);
}

/** A cell of a table. On a phone its label stands before its text. */
export function cell(label: string, text: string): Html {
  return html`<td data-label="${label}"><code>${text}</code></td>`;
}

/** Only the platform's own address is a link; no page of it is known. */
function linked(label: string, text: string): Html | string {
  if (label !== "Platform" || !/^https?:\/\//.test(text)) return text;
  return html`<a href="${text}" rel="noreferrer">${text}</a>`;
}

function contentSecurityPolicy(script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src ${digest(pageStyle)}`,
    ...(script === undefined ? [] : [`script-src ${digest(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
