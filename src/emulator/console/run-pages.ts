import { html } from "hono/html";
import type { RunRecord } from "../entities/run.ts";
import { requireRun } from "../operations/require.ts";
import { countTotals } from "../operations/totals.ts";
import { type Content, counted, facts, type Html, live, moment, runBadge, table, verbatim } from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The newest runs of all tenants. */
export function runListPage(view: View): Html {
  return page(
    view,
    "runs",
    "Runs",
    html`<h1>Runs</h1>
      ${live("runs", runs(view))}`,
  );
}

const shown = 100;

function runs(view: View): Html {
  const { runs: totals, tenants } = countTotals(view.platform);
  const newest = totals.total > shown ? `The newest ${shown} of ${totals.total} runs` : counted(totals.total, "run");
  const advice =
    tenants.live === 0
      ? html`No tenants yet, so nothing can run: <a href="/console/tenants">create a tenant</a> with <code>pulumi up</code>.`
      : html`A run starts when a schedule fires or somebody requests a sync:
          choose <a href="/console/tenants">a tenant</a> that is connected, and click "Sync…".`;
  return html`<p class="count">${newest}, ${totals.running} running and ${totals.pending} pending</p>
    ${runTable(view, view.platform.store.runs.newest(shown), html`No runs yet. ${advice}`)}`;
}

/** A table of runs, in the given order. */
export function runTable(view: View, runs: readonly RunRecord[], empty: Content): Html {
  const { tenants } = view.platform.store;
  const rows = runs.map((run): Content[] => [
    html`<a href="/console/runs/${run.id}">${run.id}</a>`,
    html`<a href="/console/tenants/${run.tenant_id}">${tenants.find(run.tenant_id)?.name ?? run.tenant_id}</a>`,
    runBadge(view.platform, run.phase),
    run.mode,
    sourcesOf(run),
    moment(run.started_date),
    moment(run.completed_date),
  ]);
  const columns = ["Run", "Tenant", "Status", "Mode", "Triggered by", "Started (UTC)", "Completed (UTC)"];
  return table({ caption: "Runs", columns, rows, empty });
}

/** Where the triggers of a run came from. */
function sourcesOf({ triggers }: RunRecord): string {
  return [...new Set(triggers.map(({ source }) => source))].join(", ") || "–";
}

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
