import { html } from "hono/html";
import { countTenantsByIntegration } from "../operations/totals.ts";
import { counted, fold, type Html, live, table } from "./elements.ts";
import { form, textField } from "./form.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** All integrations that are not archived, and a form to add one. */
export function integrationListPage(view: View): Html {
  const { store } = view.platform;
  const query = { archived: false, sort: { field: "name", direction: "ASC" }, limit: 500, skip: 0 } as const;
  const counts = countTenantsByIntegration(view.platform);
  const rows = store.integrations.list(query).map((integration) => [
    html`<a href="/console/integrations/${integration.id}">${integration.name}</a>
      ${integration.long_name === integration.name ? "" : html`<small>${integration.long_name}</small>`}`,
    integration.id,
    integration.type,
    integration.connectors?.map(({ name }) => name).join(", ") || "–",
    store.releases.findLatest(integration.id)?.name ?? "–",
    html`<a href="/console/tenants?integration=${integration.id}">${counts.get(integration.id)?.live ?? 0}</a>`,
  ]);
  const columns = ["Name", "ID", "Type", "Connectors", "Latest release", "Live tenants"];
  const list = html`<p class="count">${counted(rows.length, "integration")}</p>
    ${table({ caption: "Integrations", columns, rows, empty: "There are no integrations. Add one below." })}`;
  return page(
    view,
    "integrations",
    "Integrations",
    html`<h1>Integrations</h1>
      ${live("integrations", list)}
      <section>${fold("new-integration", "New integration", newIntegration(view), view.refusedForm !== undefined)}</section>`,
  );
}

/** The name of the form that adds an integration. */
export const newIntegrationForm = "new";

function newIntegration(view: View): Html {
  const field = (parts: { name: string; label: string; hint?: string; isRequired?: boolean }) =>
    textField(view, { form: newIntegrationForm, ...parts });
  return form(view, {
    name: newIntegrationForm,
    action: "/console/integrations",
    submit: "Add integration",
    fields: [
      field({ name: "name", label: "Name", hint: "For example crm-to-billing", isRequired: true }),
      field({ name: "long_name", label: "Display name" }),
      field({ name: "connectors", label: "Connectors", hint: "Each tenant connects these. Separate them by commas" }),
      field({
        name: "global_connectors",
        label: "Global connectors",
        hint: "These are connected for all tenants. Separate them by commas",
      }),
      field({
        name: "repository_tracking_branch",
        label: "Tracking branch",
        hint: "The default branch of a build",
      }),
      field({ name: "default_schedule", label: "Default schedule", hint: "Cron with five fields, UTC" }),
    ],
  });
}
