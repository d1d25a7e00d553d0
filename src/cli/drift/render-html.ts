import { html } from "hono/html";
import type { ReportHead } from "../html-report/report-head.ts";
import { cell, type Html, renderPage } from "../html-report/report-page.ts";
import type { Drift } from "./find-drift.ts";
import {
  goneDifferences,
  type ReportedTenant,
  reportedTenants,
  type SameDifference,
  sameDifferences,
} from "./grouped-differences.ts";
import type { KnownDrift } from "./history.ts";
import { filterScript } from "./html-filter.ts";
import { goneTitle, knownText, knownTitle } from "./known-times.ts";
import { describeNotes, driftReport, rowOf } from "./render.ts";

/** A drift as an HTML page. */
export function renderHtml(drift: Drift, head: ReportHead): string {
  const report = driftReport(drift);
  const { stack, summary } = report;
  const notes = describeNotes(report, (text) => text);
  const { differences, history } = drift;
  const tenants = reportedTenants(differences);
  const hasParts = tenants.length > 0 || (history !== undefined && history.gone.length > 0);
  return renderPage({
    title: "Drift of stack",
    ...{ stack, head, summary },
    notes: notes.length === 0 ? "" : html`<ul class="archives">${notes.map((note) => html`<li>${note}</li>\n`)}</ul>`,
    ...(hasParts ? { content: body(tenants, history), script: filterScript } : { content: "" }),
  });
}

function body(tenants: readonly ReportedTenant[], history: KnownDrift | undefined): Html {
  return html`<main>
      <p class="filter" hidden>
        <label for="filter">Filter by tenant, field or value</label>
        <input id="filter" type="search" autocomplete="off" spellcheck="false">
        <output for="filter"></output>
      </p>
      ${causes.map((cause) => causeSection(cause, sameDifferences(tenants, cause.changedOn, history)))}
      ${history === undefined ? "" : goneSection(history)}
      ${tenants.length === 0 ? "" : tenantSection(tenants, history)}
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
          ${groups.map((group) => groupItem(group, tenantLink))}
        </ul>
      </section>
      `;
}

/** What earlier runs found and this one did not. These tenants may have no other part on the page, so there are no links. */
function goneSection(history: KnownDrift): Html | "" {
  if (history.gone.length === 0) return "";
  return html`<section>
        <h2>${goneTitle(history)}</h2>
        <p class="legend">The run before found these differences, and this one did not.</p>
        <ul class="groups">
          ${goneDifferences(history).map((group) => groupItem(group, (name) => html`<li>${name}</li>\n`))}
        </ul>
      </section>
      `;
}

function tenantSection(tenants: readonly ReportedTenant[], history: KnownDrift | undefined): Html {
  return html`<section>
        <h2>Tenant by tenant</h2>
        ${tenants.map((tenant) => tenantArticle(tenant, history))}
      </section>`;
}

function tenantLink({ name, anchor }: ReportedTenant): Html {
  return html`<li><a href="#${anchor}">${name}</a></li>\n`;
}

function groupItem<Tenant>(group: SameDifference<Tenant>, tenantItem: (tenant: Tenant) => Html): Html {
  const { field, declared, actual, known, tenants } = group;
  const values = html`<code>${field}</code> declared <code>${declared}</code>, actual <code>${actual}</code>`;
  const change = known === undefined ? values : html`${values}, ${known}`;
  const links = tenants.map(tenantItem);
  if (tenants.length === 1) return html`<li data-group><p>${change}</p><ul class="tenants">${links}</ul></li>\n`;
  return html`<li data-group><details><summary>${tenants.length} tenants: ${change}</summary><ul class="tenants">${links}</ul></details></li>\n`;
}

function tenantArticle({ name, anchor, differences }: ReportedTenant, history: KnownDrift | undefined): Html {
  const rows = differences.map((difference) => {
    const [, field, declared, actual] = rowOf(difference);
    const cause = causes.find(({ changedOn }) => changedOn === difference.changedOn)?.title ?? "";
    const known = history && html`<td data-label="${knownTitle}">${knownText([difference], history)}</td>`;
    return html`<tr>${cell("Field", field)}${cell("Declared", declared)}${cell("Actual", actual)}<td data-label="Cause">${cause}</td>${known}</tr>\n`;
  });
  const columns = ["Field", "Declared", "Actual", "Cause", ...(history === undefined ? [] : [knownTitle])];
  return html`<article id="${anchor}">
          <h3><a href="#${anchor}">${name}</a></h3>
          <table>
            <thead><tr>${columns.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
            <tbody>${rows}</tbody>
          </table>
        </article>
        `;
}
