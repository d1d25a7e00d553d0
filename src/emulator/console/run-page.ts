import { html } from "hono/html";
import { requireRun } from "../operations/require.ts";
import { runBadge } from "./badges.ts";
import { facts, type Html, live, moment, table, verbatim } from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** One run and its log. The `admin_link` of the event `run_failed` points here. @throws NotFound */
export function runPage(view: View, id: number): Html {
  const { store } = view.platform;
  const run = requireRun(view.platform, id);
  const log = store.runs.findLog(id);
  const tenant = store.tenants.find(run.tenant_id);
  const integration = store.integrations.find(run.integration_id);
  const body = html`<p class="states">${runBadge(view.platform, run.phase)}</p>
    ${facts([
      ["Tenant", html`<a href="/console/tenants/${run.tenant_id}">${tenant?.name ?? run.tenant_id}</a>`],
      [
        "Integration",
        html`<a href="/console/integrations/${run.integration_id}">${integration?.name ?? run.integration_id}</a>`,
      ],
      ["Mode", run.mode],
      ["Created (UTC)", moment(run.created_date)],
      ["Started (UTC)", moment(run.started_date)],
      ["Completed (UTC)", moment(run.completed_date)],
    ])}
    <h2>Log</h2>
    ${log === undefined ? html`<p class="empty">The run has not started yet.</p>` : verbatim("Log", log)}
    <h2>Triggers</h2>
    ${table({
      caption: "Triggers",
      columns: ["Trigger", "Source", "Created (UTC)"],
      rows: run.triggers.map(({ trigger_id, source, created_date }) => [
        html`<code>${trigger_id}</code>`,
        source,
        moment(created_date),
      ]),
      empty: "There are no triggers.",
    })}`;
  return page(
    view,
    "runs",
    `Run ${id}`,
    html`<p class="crumbs"><a href="/console/runs">Runs</a></p>
      <h1>Run ${id}</h1>
      ${live("run", body)}`,
  );
}
