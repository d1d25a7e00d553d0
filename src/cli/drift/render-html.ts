import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Drift } from "./find-drift.ts";
import { type ReportedTenant, reportedTenants, type SameDifference, sameDifferences } from "./grouped-differences.ts";
import { filterScript } from "./html-filter.ts";
import { pageStyle } from "./html-style.ts";
import { type ArchiveLine, describeArchive, driftReport, rowOf } from "./render.ts";
import { headEntries, type ReportHead } from "./report-head.ts";

type Html = ReturnType<typeof html>;

/** A drift as an HTML page in one file, to send on: it loads nothing, and can be read without its script. */
export function renderHtml(drift: Drift, head: ReportHead): string {
  const { stack, summary, archives } = driftReport(drift);
  const tenants = reportedTenants(drift.differences);
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Drift of stack ${stack}, ${head.createdAt}</title>
    <style>${raw(pageStyle)}</style>
  </head>
  <body>
    <header>
      <h1>Drift of stack <code>${stack}</code></h1>
      <dl>${headEntries(head).map(([label, text]) => html`<div><dt>${label}</dt><dd>${linked(label, text)}</dd></div>`)}</dl>
      <p class="summary">${summary}</p>
      ${archives.length === 0 ? "" : html`<ul class="archives">${archives.map(archiveItem)}</ul>`}
    </header>
    ${tenants.length === 0 ? "" : body(tenants)}
  </body>
</html>
`;
  return String(page);
}

function body(tenants: readonly ReportedTenant[]): Html {
  return html`<main>
      <p class="filter" hidden>
        <label for="filter">Filter by tenant, field or value</label>
        <input id="filter" type="search" autocomplete="off" spellcheck="false">
        <output for="filter"></output>
      </p>
      ${causes.map((cause) => causeSection(cause, sameDifferences(tenants, cause.changedOn)))}
      <section>
        <h2>Tenant by tenant</h2>
        ${tenants.map(tenantArticle)}
      </section>
    </main>
    <script>${raw(filterScript)}</script>`;
}

/** The causes of a difference, and what each means. */
const causes = [
  {
    changedOn: "platform",
    title: "Changed on the platform",
    meaning:
      "Somebody changed these settings on the platform after the last pulumi up or refresh. The next up changes them back " +
      "to the declared values. To keep a value instead, declare it.",
  },
  {
    changedOn: "program",
    title: "Declared, but not applied",
    meaning:
      "These settings are declared in the stack, and the platform does not have them yet. The next pulumi up applies them.",
  },
] as const;

type Cause = (typeof causes)[number];

function causeSection({ title, meaning }: Cause, groups: readonly SameDifference[]): Html | "" {
  if (groups.length === 0) return "";
  const count = new Set(groups.flatMap(({ tenants }) => tenants)).size;
  return html`<section>
        <h2>${title}: ${count} ${count === 1 ? "tenant" : "tenants"}</h2>
        <p class="legend">${meaning}</p>
        <ul class="groups">
          ${groups.map(groupItem)}
        </ul>
      </section>
      `;
}

function groupItem({ field, declared, actual, tenants }: SameDifference): Html {
  const change = html`<code>${field}</code> declared <code>${declared}</code>, actual <code>${actual}</code>`;
  const links = tenants.map(({ name, anchor }) => html`<li><a href="#${anchor}">${name}</a></li>\n`);
  if (tenants.length === 1) return html`<li data-group><p>${change}</p><ul class="tenants">${links}</ul></li>\n`;
  return html`<li data-group><details><summary>${tenants.length} tenants: ${change}</summary><ul class="tenants">${links}</ul></details></li>\n`;
}

function tenantArticle({ name, anchor, differences }: ReportedTenant): Html {
  const rows = differences.map((difference) => {
    const [, field, declared, actual] = rowOf(difference);
    const cause = causes.find(({ changedOn }) => changedOn === difference.changedOn)?.title ?? "";
    return html`<tr>${cell("Field", field)}${cell("Declared", declared)}${cell("Actual", actual)}<td data-label="Cause">${cause}</td></tr>\n`;
  });
  return html`<article id="${anchor}">
          <h3><a href="#${anchor}">${name}</a></h3>
          <table>
            <thead><tr>${["Field", "Declared", "Actual", "Cause"].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
            <tbody>${rows}</tbody>
          </table>
        </article>
        `;
}

function archiveItem(archive: ArchiveLine): Html {
  return html`<li>${describeArchive(archive, (text) => text)}</li>\n`;
}

function cell(label: string, text: string): Html {
  return html`<td data-label="${label}"><code>${text}</code></td>`;
}

/** Only the platform's own address is a link; no page of it is known. */
function linked(label: string, text: string): Html | string {
  if (label !== "Platform" || !/^https?:\/\//.test(text)) return text;
  return html`<a href="${text}" rel="noreferrer">${text}</a>`;
}

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${digest(pageStyle)}`,
  `script-src ${digest(filterScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
