import { html } from "hono/html";
import type { RunRecord } from "../entities/run.ts";
import { runBadge } from "./badges.ts";
import { type Content, type Html, live, moment, table } from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The newest runs of all tenants. */
export function runListPage(view: View): Html {
  const runs = view.platform.store.runs.newest(100);
  return page(
    view,
    "runs",
    "Runs",
    html`<h1>Runs</h1>
      <p class="hint">The newest 100.</p>
      ${live("runs", runTable(view, runs, "There are no runs yet. Request a sync on a tenant's page to get one."))}`,
  );
}

/** A table of runs, in the given order. */
export function runTable(view: View, runs: readonly RunRecord[], empty: string): Html {
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
