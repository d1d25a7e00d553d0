import { html } from "hono/html";
import { type Html, verbatim } from "./elements.ts";
import type { View } from "./site.ts";

/** What a page shows while the platform has no tenants. */
export function noTenants(view: View): Html {
  return html`<section class="start" aria-label="First steps">
    <p class="start-title">No tenants yet: run <code>pulumi up</code></p>
    ${firstSteps(view)}
  </section>`;
}

/** How a Pulumi project uses this emulator. */
export function firstSteps({ platform }: View): Html {
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
