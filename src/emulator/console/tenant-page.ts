import { html } from "hono/html";
import { timestamp } from "../clock.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { connectorStatus, isConnected } from "../operations/connection.ts";
import { effectiveSchedule } from "../operations/schedule.ts";
import { nextTime } from "../rules/cron.ts";
import { NotFound } from "../rules/problems.ts";
import { badge, type Content, facts, type Html, live, moment, releaseName, stateBadges, table } from "./elements.ts";
import { form } from "./form.ts";
import { page } from "./layout.ts";
import { runTable } from "./run-pages.ts";
import type { View } from "./site.ts";
import { tenantActions, tenantForms, tenantSettings } from "./tenant-forms.ts";

/** One tenant, live or archived: its state, its runs, and the forms that change it. @throws NotFound */
export function tenantPage(view: View, id: number): Html {
  const { platform } = view;
  const tenant = platform.store.tenants.find(id);
  if (!tenant) throw new NotFound(`Tenant ${id} not found`);
  return page(
    view,
    "tenants",
    tenant.name,
    html`<p class="crumbs"><a href="/console/tenants">Tenants</a></p>
      <h1>${tenant.name}</h1>
      ${live("state", html`<p class="states">${stateBadges(platform, tenant)}</p>`)}
      ${live("actions", tenantActions(view, tenant))}
      ${live("facts", factsOf(view, tenant))}
      <h2>Connectors</h2>
      ${live("connectors", connectors(view, tenant))}
      <h2>Schedule</h2>
      ${live("schedule", schedule(view, tenant))}
      ${tenantSettings(view, tenant)}
      <h2>Runs</h2>
      ${live("runs", runTable(view, platform.store.runs.newest(10, id), "This tenant has no runs."))}`,
  );
}

function factsOf({ platform }: View, tenant: TenantRecord): Html {
  const integration = platform.store.integrations.find(tenant.integration_id);
  const link = html`<a href="/console/integrations/${tenant.integration_id}">${integration?.name ?? tenant.integration_id}</a>`;
  return facts([
    ["ID", tenant.id],
    ["Integration", link],
    ["Release", releaseName(platform, tenant)],
    ["Source", tenant.source ?? "–"],
    ["User name", tenant.user_name ?? "–"],
    ["Created (UTC)", moment(tenant.created_date)],
    ["Modified (UTC)", moment(tenant.modified_date)],
  ]);
}

function connectors(view: View, tenant: TenantRecord): Html {
  const all = view.platform.store.integrations.find(tenant.integration_id)?.connectors ?? [];
  const rows = all.map(({ name, isGlobal }): Content[] => {
    if (isGlobal) return [name, badge("global", "plain"), "–", "–"];
    const current = connectorStatus(tenant, name);
    const status = current?.status ?? "disconnected";
    return [
      name,
      badge(status, status === "connected" ? "good" : "bad"),
      moment(current?.last_change),
      tenant.archived ? "–" : connectButton(view, tenant.id, name, status),
    ];
  });
  const columns = ["Connector", "Status", "Last change (UTC)", "Action"];
  return table({ caption: "Connectors", columns, rows, empty: "The integration has no connectors." });
}

function connectButton(view: View, id: number, connector: string, status: string): Html {
  const isOn = status === "connected";
  const submit = isOn ? "Disconnect" : "Connect";
  return form(view, {
    name: tenantForms.connector,
    action: `/console/tenants/${id}/connectors/${encodeURIComponent(connector)}/${isOn ? "disconnect" : "connect"}`,
    submit,
    label: `${submit} ${connector}`,
    tone: "plain",
  });
}

function schedule(view: View, tenant: TenantRecord): Html {
  const { platform } = view;
  const cron = effectiveSchedule(platform, tenant);
  if (cron === null) return html`<p>None. The tenant runs on request only.</p>`;
  const origin =
    (tenant.schedule ?? tenant.user_schedule) === null ? "the integration's default" : "the tenant's own schedule";
  const times = nextTimes(cron, platform.clock.now());
  return html`<p><code>${cron}</code> – ${origin}. ${whyItDoesNotFire(view, tenant)}</p>
    <ol class="times" aria-label="Next times, UTC">
      ${times.map((time) => html`<li>${moment(new Date(time).toISOString())} UTC</li>`)}
    </ol>
    <p class="hint">Now: ${moment(timestamp(platform.clock))} UTC</p>`;
}

function whyItDoesNotFire({ platform }: View, tenant: TenantRecord): Content {
  if (tenant.archived) return "It does not fire because the tenant is archived.";
  if (tenant.paused !== false) return "It does not fire while the tenant is paused.";
  if (!isConnected(platform, tenant)) return "It does not fire while the tenant is not connected.";
  return "";
}

function nextTimes(cron: string, after: number): number[] {
  const times: number[] = [];
  for (let time = nextTime(cron, after); time !== undefined && times.length < 5; time = nextTime(cron, time)) {
    times.push(time);
  }
  return times;
}
