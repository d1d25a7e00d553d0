import { html } from "hono/html";
import type { RunRecord } from "../entities/run.ts";
import { countTotals } from "../operations/totals.ts";
import { runBadge } from "./badges.ts";
import { type Content, counted, type Html, live, moment, table } from "./elements.ts";
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
export function sourcesOf({ triggers }: RunRecord): string {
  return [...new Set(triggers.map(({ source }) => source))].join(", ") || "–";
}
