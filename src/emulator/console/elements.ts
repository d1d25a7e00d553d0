import { html } from "hono/html";
import type { JsonObject } from "../entities/json.ts";

/** HTML whose values are escaped already. */
export type Html = ReturnType<typeof html>;

/** What a cell or a fact may hold; a text is escaped. */
export type Content = Html | string | number;

/** A table; on a narrow screen each row becomes a card, its cells named by their columns. */
export function table(parts: {
  /** Read out, not shown: the heading above says it to the eye. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Content[])[];
  readonly empty: string;
}): Html {
  const { caption, columns, rows, empty } = parts;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  // The roles are said aloud because a table that is laid out as cards loses them.
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

/** Names with values. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">
    ${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** A word about a state. The word says it; its colour only helps. */
export function badge(text: string, tone: "good" | "bad" | "busy" | "plain"): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A part of a page that the script brings up to date every other second. */
export function live(id: string, body: Html): Html {
  return html`<div id="${id}" data-live>${body}</div>`;
}

/** Something to open; it stays open when the script renews the page. */
export function fold(id: string, summary: string, body: Html, isOpen = false): Html {
  return html`<details id="${id}" ${isOpen ? "open" : ""}><summary>${summary}</summary>${body}</details>`;
}

/** Text as it is. Can be scrolled, so it can be reached by keyboard. */
export function verbatim(label: string, text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

export function prettyJson(value: JsonObject | null): string {
  return JSON.stringify(value ?? {}, undefined, 2);
}

/** A date of the API for people: UTC, to the second; a dash when there is none. */
export function moment(date: string | null | undefined): Content {
  const milliseconds = Date.parse(date ?? "");
  if (Number.isNaN(milliseconds)) return "–";
  const iso = new Date(milliseconds).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

function tableCell(column: string, content: Content): Html {
  return html`<td role="cell" data-column="${column}"><div>${content}</div></td>`;
}
