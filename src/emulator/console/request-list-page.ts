import { html } from "hono/html";
import type { RequestRecord } from "../http/request-log.ts";
import { badge, type Content, counted, type Html, live, moment, table } from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The newest requests to the API. Bodies are not shown, as they may hold secrets. */
export function requestListPage(view: View): Html {
  return page(
    view,
    "requests",
    "Requests",
    html`<h1>Requests</h1>
      <p class="hint">
        What clients have requested from the API, the newest first. <code>GET /_emulator/requests</code> shows the bodies too.
      </p>
      ${live("requests", requests(view))}`,
  );
}

const shown = 100;

function requests({ log, platform }: View): Html {
  const all = log.list();
  const rows = all.slice(-shown).reverse().map(requestRow);
  const empty = html`No requests yet. Clients send them to <code>${platform.url}</code>.`;
  const columns = ["Time (UTC)", "Method", "Path", "Query", "Status", "Fault"];
  return html`${all.length > shown ? html`<p class="count">The newest ${shown} of ${counted(all.length, "request")}</p>` : ""}
    ${table({ caption: "Requests", columns, rows, empty })}`;
}

function requestRow({ at, method, path, query, status, fault }: RequestRecord): Content[] {
  const search = new URLSearchParams(query).toString();
  return [
    moment(at),
    method,
    html`<code>${path}</code>`,
    search === "" ? "–" : html`<code>${search}</code>`,
    status === null ? badge("none", "bad") : badge(String(status), status < 400 ? "good" : "bad"),
    fault ?? "–",
  ];
}
