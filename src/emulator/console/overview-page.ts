import { html } from "hono/html";
import { countTotals } from "../operations/totals.ts";
import { changedVariants } from "./behavior-pages.ts";
import { type Content, counted, facts, fold, type Html, live, totals, verbatim } from "./elements.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** What the platform holds, its address, and what differs from the default behavior. */
export function overviewPage(view: View): Html {
  return page(view, "overview", "Overview", html`<h1>Overview</h1> ${live("overview", overview(view))}`);
}

function overview(view: View): Html {
  const { tenants, integrations, runs } = countTotals(view.platform);
  const { deliveries, emails } = view.platform.store;
  const requests = view.log.list();
  const isNew = tenants.live + tenants.archived === 0;
  return html`${isNew ? noTenants(view) : ""}
    ${totals([
      {
        label: "Tenants",
        count: tenants.live,
        href: "/console/tenants",
        details: [
          `${tenants.connected} connected`,
          `${tenants.paused} paused`,
          `${runs.running} running`,
          `${tenants.archived} archived`,
        ],
      },
      { label: "Integrations", count: integrations, href: "/console/integrations", details: [] },
      {
        label: "Runs",
        count: runs.total,
        href: "/console/runs",
        details: [`${runs.running} running`, `${runs.pending} pending`],
      },
      {
        label: "Requests to the API",
        count: requests.length,
        href: "/console/requests",
        details: [`${requests.filter(({ status }) => status === null || status >= 400).length} refused or failed`],
      },
      {
        label: "Webhooks",
        count: deliveries.count(),
        href: "/console/deliveries",
        details: [counted(emails.count(), "e-mail")],
      },
    ])}
    <h2>This platform</h2>
    ${facts([
      ["Address", html`<code>${view.platform.url}</code>`],
      ["API keys", html`<a href="/console/settings/api-access">Settings, API Access</a>`],
      ["Variants", variants(view)],
      ["Faults", faults(view)],
      ["API", html`<a href="/console/api">endpoints and errors</a>`],
    ])}
    ${isNew ? "" : fold("first-steps", "Connect a Pulumi project", firstSteps(view))}`;
}

function variants({ platform }: View): Content {
  const changed = changedVariants(platform.variants);
  const text = changed.length === 0 ? "all as by default" : `${changed.length} not as by default`;
  return html`<a href="/console/variants">${text}</a>`;
}

function faults({ faults }: View): Content {
  return html`<a href="/console/faults">${faults.list().length || "none"} pending</a>`;
}

/** What a page shows while the platform has no tenants. */
export function noTenants(view: View): Html {
  return html`<section class="start" aria-label="First steps">
    <p class="start-title">No tenants yet: run <code>pulumi up</code></p>
    ${firstSteps(view)}
  </section>`;
}

/** How a Pulumi project uses this emulator. */
function firstSteps({ platform }: View): Html {
  const commands = [
    `pulumi config set integration-platform:baseUrl ${platform.url}`,
    "pulumi config set --secret integration-platform:apiKey",
    "pulumi up",
  ].join("\n");
  return html`<p>In the folder of a Pulumi project that declares tenants:</p>
    ${verbatim("Commands", commands)}
    <p class="hint">
      The emulator printed its API key when it started.
      <a href="/console/settings/api-access">Settings, API Access</a> creates others. Without Pulumi, you can
      <a href="/console/tenants#install-name">install a tenant by hand</a>.
    </p>`;
}
