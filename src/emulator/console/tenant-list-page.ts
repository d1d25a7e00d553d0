import { html } from "hono/html";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { effectiveSchedule } from "../operations/schedule.ts";
import { countTotals, type Totals } from "../operations/totals.ts";
import {
  type Content,
  counted,
  fold,
  type Html,
  live,
  releaseName,
  runSummaryBadge,
  stateBadges,
  table,
} from "./elements.ts";
import { form, selectField, textField } from "./form.ts";
import { page } from "./layout.ts";
import { noTenants } from "./overview-page.ts";
import type { View } from "./site.ts";

/** Which tenants the page shows. */
export interface TenantFilter {
  /** A part of the name; empty means all tenants. */
  readonly q: string;
  /** 0 means all integrations. */
  readonly integration: number;
  readonly archived: "no" | "yes" | "both";
  /** The first page is 1. */
  readonly page: number;
}

/** The name of the form that installs a tenant. */
export const installForm = "install";

/** The tenants, page by page, and a form to install one. */
export function tenantListPage(view: View, filter: TenantFilter): Html {
  const query = { archived: false, sort: { field: "name", direction: "ASC" }, limit: 500, skip: 0 } as const;
  const integrations = view.platform.store.integrations.list(query);
  return page(
    view,
    "tenants",
    "Tenants",
    html`<h1>Tenants</h1>
      ${filterForm(integrations, filter)}
      ${live("tenants", tenantTable(view, filter))}
      <section>${fold("new-tenant", "Install a tenant", install(view, integrations), view.refusedForm !== undefined)}</section>`,
  );
}

const pageSize = 50;

function filterForm(integrations: readonly IntegrationRecord[], filter: TenantFilter): Html {
  const option = (value: string, label: string, chosen: string) =>
    html`<option value="${value}" ${value === chosen ? "selected" : ""}>${label}</option>`;
  const archived = [
    ["no", "Live"],
    ["yes", "Archived"],
    ["both", "Live and archived"],
  ] as const;
  return html`<form method="get" action="/console/tenants" class="filter" role="search" aria-label="Tenants">
    <div class="field">
      <label for="filter-q">Name contains</label>
      <input id="filter-q" name="q" type="search" value="${filter.q}" autocomplete="off" spellcheck="false">
    </div>
    <div class="field">
      <label for="filter-integration">Integration</label>
      <select id="filter-integration" name="integration">
        ${option("0", "All", String(filter.integration))}
        ${integrations.map(({ id, name }) => option(String(id), name, String(filter.integration)))}
      </select>
    </div>
    <div class="field">
      <label for="filter-archived">Show</label>
      <select id="filter-archived" name="archived">
        ${archived.map(([value, label]) => option(value, label, filter.archived))}
      </select>
    </div>
    <button type="submit" class="plain">Filter</button>
  </form>`;
}

function tenantTable(view: View, filter: TenantFilter): Html {
  const { store, clock } = view.platform;
  const now = clock.now();
  const totals = countTotals(view.platform);
  if (totals.tenants.live + totals.tenants.archived === 0) return noTenants(view);

  const selected = {
    archived: filter.archived === "both" ? undefined : filter.archived === "yes",
    integrationId: filter.integration || undefined,
    userName: undefined,
    namePart: filter.q || undefined,
  };
  const page = {
    sort: { field: "name", direction: "ASC" },
    limit: pageSize,
    skip: (filter.page - 1) * pageSize,
  } as const;
  const rows = store.tenants.list({ ...selected, ...page }, now).map((tenant) => tenantRow(view, tenant));
  const found = store.tenants.count(selected, now);
  const columns = ["Name", "ID", "Integration", "State", "Release", "Schedule", "Run"];
  return html`<p class="count">${totalsLine(totals)} ${isNarrowed(filter) ? `The filter selects ${found}.` : ""}</p>
    ${table({ caption: "Tenants", columns, rows, empty: noMatch(filter) })} ${pages(filter, Math.ceil(found / pageSize))}`;
}

function totalsLine({ tenants, runs }: Totals): string {
  const { live: alive, connected, paused, archived } = tenants;
  const states = `${connected} connected, ${paused} paused, ${runs.running} running`;
  return `${counted(alive, "live tenant")} (${states}), ${archived} archived.`;
}

function isNarrowed({ q, integration, archived }: TenantFilter): boolean {
  return q !== "" || integration !== 0 || archived !== "no";
}

function noMatch({ page }: TenantFilter): Html {
  const reason = page > 1 ? "This page is empty." : "No tenant matches the filter.";
  return html`${reason} <a href="/console/tenants">Show all live tenants</a>`;
}

function tenantRow(view: View, tenant: TenantRecord): Content[] {
  const schedule = effectiveSchedule(view.platform, tenant);
  return [
    html`<a href="/console/tenants/${tenant.id}">${tenant.name}</a>`,
    tenant.id,
    integrationLink(view, tenant.integration_id),
    stateBadges(view.platform, tenant),
    releaseName(view.platform, tenant),
    schedule === null ? "–" : html`<code>${schedule}</code>`,
    runSummaryBadge(view.platform, isRunning(tenant) ? tenant.status?.current_run : tenant.status?.last_run),
  ];
}

function integrationLink({ platform }: View, id: number): Html {
  return html`<a href="/console/integrations/${id}">${platform.store.integrations.find(id)?.name ?? id}</a>`;
}

function isRunning({ status }: TenantRecord): boolean {
  return Object.keys(status?.current_run ?? {}).length > 0;
}

function pages(filter: TenantFilter, last: number): Content {
  if (filter.page === 1 && last <= 1) return "";
  const link = (to: number, label: string) => {
    const query = new URLSearchParams({
      q: filter.q,
      integration: String(filter.integration),
      archived: filter.archived,
      page: String(to),
    });
    return html`<a href="/console/tenants?${query.toString()}">${label}</a>`;
  };
  return html`<nav class="pages" aria-label="Pages">
    ${filter.page > 1 ? link(filter.page - 1, "← Previous") : ""}
    <span>Page ${filter.page} of ${Math.max(last, 1)}</span>
    ${filter.page < last ? link(filter.page + 1, "Next →") : ""}
  </nav>`;
}

function install(view: View, integrations: readonly IntegrationRecord[]): Html {
  const name = installForm;
  const options = integrations.map((integration) => [String(integration.id), integration.name] as const);
  return html`<p>This is what a user of the marketplace does. The new tenant is connected and not paused.</p>
    ${form(view, {
      name,
      action: "/console/tenants",
      submit: "Install",
      fields: [
        selectField(view, { form: name, name: "integration", label: "Integration", options }),
        textField(view, { form: name, name: "name", label: "Name", isRequired: true }),
        textField(view, {
          form: name,
          name: "user_name",
          label: "User name",
          hint: "The user's ID in your own system. The sync by user name needs it",
          isRequired: true,
        }),
      ],
    })}`;
}
