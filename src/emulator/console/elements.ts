import { html } from "hono/html";
import type { TenantRecord } from "../entities/tenant.ts";
import { isConnected } from "../operations/connection.ts";
import { resolveRelease } from "../operations/release-choice.ts";
import type { Platform } from "../platform.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { isRunPhase, type RunPhase, statusWord } from "../rules/status-words.ts";

/** HTML whose values are escaped. */
export type Html = ReturnType<typeof html>;

/** The content of a table cell or a fact. A string is escaped. */
export type Content = Html | string | number;

/** A table. On a narrow screen each row becomes a card, whose cells show the names of their columns. */
export function table(parts: {
  /** For screen readers only, as the heading above the table shows the same. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Content[])[];
  readonly empty: Content;
}): Html {
  const { caption, columns, rows, empty } = parts;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  // Explicit roles, because CSS that lays a table out as cards removes the implicit ones.
  return html`<table role="table">
    <caption class="unseen">${caption}</caption>
    <thead role="rowgroup">
      <tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}</tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((cells) => html`<tr role="row">${cells.map((cell, index) => tableCell(columns[index] ?? "", cell))}</tr>`)}
    </tbody>
  </table>`;
}

/** A number of things, with the noun in the singular or the plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** How many there are of several things. Each is a link to the page that lists them. */
export function totals(
  entries: readonly {
    readonly label: string;
    readonly count: number;
    readonly href: string;
    readonly details: readonly string[];
  }[],
): Html {
  return html`<ul class="totals">
    ${entries.map(
      ({ label, count, href, details }) => html`<li>
        <a href="${href}"><strong>${count}</strong> ${label}</a>
        ${details.length > 0 ? html`<small>${details.join(" · ")}</small>` : ""}
      </li>`,
    )}
  </ul>`;
}

/** A list of names with values. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">
    ${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Links to the pages of a section. */
export function tabs(
  label: string,
  links: readonly { readonly label: string; readonly href: string; readonly isCurrent: boolean }[],
): Html {
  return html`<nav class="links tabs" aria-label="${label}">
    ${links.map((link) => html`<a href="${link.href}" ${link.isCurrent ? html`aria-current="page"` : ""}>${link.label}</a> `)}
  </nav>`;
}

/** Text in which backticks mark code. */
export function withCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A word for a state. The colour only repeats what the word says. */
export function badge(text: string, tone: "good" | "bad" | "busy" | "plain"): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A part of a page that `live.js` updates every two seconds. */
export function live(id: string, body: Html): Html {
  return html`<div id="${id}" data-live>${body}</div>`;
}

/** Content that opens on a click. `live.js` leaves it open when it updates the page. */
export function fold(id: string, summary: string, body: Html, isOpen = false): Html {
  return html`<details id="${id}" ${isOpen ? "open" : ""}><summary>${summary}</summary>${body}</details>`;
}

/** Preformatted text. It may scroll, so it can be focused with the keyboard. */
export function verbatim(label: string, text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

export function prettyJson(value: JsonObject | null): string {
  return JSON.stringify(value ?? {}, undefined, 2);
}

/** A date of the API in a readable format: UTC, without fractions of a second; a dash when there is none. */
export function moment(date: string | null | undefined): Content {
  const milliseconds = Date.parse(date ?? "");
  if (Number.isNaN(milliseconds)) return "–";
  const iso = new Date(milliseconds).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

function tableCell(column: string, content: Content): Html {
  return html`<td role="cell" data-column="${column}"><div>${content}</div></td>`;
}

/** Whether a tenant is archived, paused and connected. */
export function stateBadges(platform: Platform, tenant: TenantRecord): Html {
  if (tenant.archived) return badge("archived", "plain");
  return html`${tenant.paused === false ? badge("active", "good") : badge("paused", "plain")}
    ${isConnected(platform, tenant) ? badge("connected", "good") : badge("not connected", "busy")}`;
}

/** The name of the release that a tenant runs, and the channel that selects it. */
export function releaseName(platform: Platform, tenant: TenantRecord): Content {
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  const channel = tenant.integration_release_channel;
  if (!release) return channel ?? "–";
  return channel === null ? release.name : html`${release.name} <small>by ${channel}</small>`;
}

/** The phase of the run that a tenant's status holds, with a link to the run; a dash when it holds none. */
export function runSummaryBadge(platform: Platform, summary: unknown): Content {
  if (!isJsonObject(summary) || !isJsonObject(summary.status)) return "–";
  const { phase } = summary.status;
  const phaseBadge = isRunPhase(phase) ? runBadge(platform, phase) : badge(String(phase ?? "–"), "plain");
  return typeof summary.id === "number" ? html`<a href="/console/runs/${summary.id}">${phaseBadge}</a>` : phaseBadge;
}

/** The phase of a run, in the word that the API has for it. */
export function runBadge({ variants }: Platform, phase: RunPhase): Html {
  return badge(statusWord(variants.statusWords, phase), tones[phase]);
}

const tones = { pending: "busy", running: "busy", succeeded: "good", failed: "bad" } as const;
