import { html } from "hono/html";
import type { Html } from "./elements.ts";
import type { Notice, View } from "./site.ts";

/** The sections of the console. */
export type Section = (typeof sections)[number]["key"];

/** A page of the console. */
export function page(view: View, section: Section, title: string, body: Html): Html {
  const { account } = view.platform.store.settings.read();
  const content = html`<main id="content" tabindex="-1" ${view.refusedForm ? "data-still" : ""}>
      ${view.notice ? noticeBox(view.notice) : ""}
      ${body}
    </main>
    <footer>
      <p>${account.name} · ${account.environment} · account ${account.id}</p>
      <p>This is a local emulator. The console needs no API key and is meant for this machine only.</p>
    </footer>`;
  return document(title, html`${header(section)}${content}`);
}

/** The page of an error, with the navigation. It reads nothing from the database, as that may be what failed. */
export function errorPage(title: string, reason: string): Html {
  const advice = html`<p><a href="/console">To the overview</a></p>`;
  const main = html`<main id="content" tabindex="-1"><h1>${title}</h1><p>${reason}</p>${advice}</main>`;
  return document(title, html`${header(undefined)}${main}`);
}

/** A page that says why a request was refused, for other sites too. So it shows nothing of the console. */
export function refusalPage(title: string, reason: string): Html {
  return document(
    title,
    html`<main id="content" tabindex="-1" class="refusal"><h1>${title}</h1><p>${reason}</p></main>`,
  );
}

/** The HTML document around every page, also around the page of an error. */
export function document(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Integration Platform</title>
    <link rel="icon" href="/console/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/console/console.css">
    <script type="module" src="/console/live.js"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    ${body}
  </body>
</html>`;
}

const sections = [
  { key: "overview", path: "", label: "Overview" },
  { key: "tenants", path: "/tenants", label: "Tenants" },
  { key: "integrations", path: "/integrations", label: "Integrations" },
  { key: "runs", path: "/runs", label: "Runs" },
  { key: "deliveries", path: "/deliveries", label: "Deliveries" },
  { key: "requests", path: "/requests", label: "Requests" },
  { key: "settings", path: "/settings", label: "Settings" },
  { key: "behavior", path: "/variants", label: "Variants & faults" },
  { key: "api", path: "/api", label: "API" },
] as const;

function header(current: Section | undefined): Html {
  return html`<header class="bar">
    <div class="bar-inner">
      <a class="brand" href="/console">Integration Platform</a>
      <nav class="links" aria-label="Console">${sections.map((entry) => sectionLink(entry, current))}</nav>
      <button type="button" class="live" data-live-switch hidden>Live</button>
    </div>
  </header>`;
}

function sectionLink({ key, path, label }: (typeof sections)[number], current: Section | undefined): Html {
  return html`<a href="/console${path}" ${key === current ? html`aria-current="true"` : ""}>${label}</a>`;
}

function noticeBox({ text, secret }: Notice): Html {
  return html`<div class="notice" role="status">
    <p>${text}</p>
    ${secret === undefined ? "" : html`<p><code class="secret" data-secret>${secret}</code></p>`}
  </div>`;
}
