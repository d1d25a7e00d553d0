import { html } from "hono/html";
import { oneLine } from "../../json/one-line.ts";
import type { ReportHead } from "../html-report/report-head.ts";
import { cell, type Html, renderPage } from "../html-report/report-page.ts";
import {
  exceptionTitles,
  movedOf,
  noRollouts,
  notesOf,
  reasonOf,
  releaseOf,
  tenantOf,
  urnOfNamesake,
  waveColumns,
  waveRow,
} from "./render.ts";
import { historyColumns, historyRow } from "./render-history.ts";
import type { Rollout } from "./rollout-status.ts";
import type { StackRollouts } from "./stack-rollouts.ts";

/** The rollouts as an HTML page. */
export function renderHtml({ stack, rollouts, unreadable }: StackRollouts, head: ReportHead): string {
  return renderPage({
    title: "Rollouts of stack",
    stack: oneLine(stack ?? "(selected)"),
    head,
    summary: summaryOf(rollouts),
    notes:
      unreadable.length === 0
        ? ""
        : html`<ul class="archives">${unreadable.map(({ urn, problem }) => html`<li>Not readable: <code>${oneLine(urn)}</code> ${problem}</li>\n`)}</ul>`,
    content: html`<main>${rollouts.map((rollout) => rolloutSection(rollout, rollouts))}</main>`,
  });
}

/** `1 failed, 2 done.` */
function summaryOf(rollouts: readonly Rollout[]): string {
  if (rollouts.length === 0) return noRollouts;
  const phases = ["failed", "waiting", "progressing", "done"] as const;
  const counts = phases.map((phase) => ({
    phase,
    count: rollouts.filter((rollout) => rollout.phase === phase).length,
  }));
  const parts = counts.filter(({ count }) => count > 0).map(({ phase, count }) => `${count} ${phase}`);
  return `${rollouts.length === 1 ? "1 rollout" : `${rollouts.length} rollouts`}: ${parts.join(", ")}.`;
}

function rolloutSection(rollout: Rollout, all: readonly Rollout[]): Html {
  const { fleet, phase, status, waves, exceptions, history } = rollout;
  const way = rollout.direction === "back" ? ", rollback" : "";
  const urn = urnOfNamesake(rollout, all);
  return html`<section>
        <h2>${oneLine(fleet)}: ${phase}</h2>${urn === undefined ? "" : html`<p class="legend"><code>${urn}</code></p>`}
        <p class="legend">Release ${releaseOf(rollout)}${way}. Moved: ${movedOf(rollout)}. ${oneLine(status)}</p>
        ${notesOf(rollout).map((note) => html`<p class="legend">${note}</p>\n`)}
        ${waves.length === 0 ? "" : article("Waves", waveColumns, waves.map(waveRow))}
        ${exceptions.length === 0 ? "" : article("Tenants", tenantColumns, exceptions.map(exceptionRow))}
        ${history.length === 0 ? "" : article("History", [...historyColumns, "Reason"], history.map(pastRow))}
      </section>
      `;
}

const tenantColumns = ["Tenant", "Wave", "Outcome", "Reason"] as const;

function exceptionRow(exception: Rollout["exceptions"][number]): string[] {
  const { wave, outcome } = exception;
  return [tenantOf(exception), oneLine(wave ?? ""), exceptionTitles[outcome], reasonOf(exception)];
}

function pastRow(past: Rollout["history"][number]): string[] {
  return [...historyRow(past), oneLine(past.reason ?? "")];
}

function article(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): Html {
  return html`<article>
          <h3>${title}</h3>
          <table>
            <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>${rows.map((row) => html`<tr>${row.map((text, at) => cell(columns[at] ?? "", text))}</tr>\n`)}</tbody>
          </table>
        </article>
        `;
}
