import { html } from "hono/html";
import type { ReportHead } from "../html-report/report-head.ts";
import { cell, type Html, renderPage } from "../html-report/report-page.ts";
import type { Drift } from "./find-drift.ts";
import { type ReportedTenant, reportedTenants, type SameDifference, sameDifferences } from "./grouped-differences.ts";
import { filterScript } from "./html-filter.ts";
import { type ArchiveLine, describeArchive, driftReport, rowOf } from "./render.ts";

/** A drift as an HTML page. */
export function renderHtml(drift: Drift, head: ReportHead): string {
  const { stack, summary, archives } = driftReport(drift);
  const tenants = reportedTenants(drift.differences);
  return renderPage({
    title: "Drift of stack",
    ...{ stack, head, summary },
    notes: archives.length === 0 ? "" : html`<ul class="archives">${archives.map(archiveItem)}</ul>`,
    ...(tenants.length === 0 ? { content: "" } : { content: body(tenants), script: filterScript }),
  });
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
    </main>`;
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
