import { html } from "hono/html";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import { defaultRelease } from "../operations/release-choice.ts";
import { requireIntegration } from "../operations/require.ts";
import { countTenantsByIntegration } from "../operations/totals.ts";
import {
  badge,
  type Content,
  counted,
  facts,
  fold,
  type Html,
  live,
  moment,
  prettyJson,
  table,
  verbatim,
} from "./elements.ts";
import { form, textArea, textField } from "./form.ts";
import { page } from "./layout.ts";
import { releaseAdoption } from "./release-adoption.ts";
import type { View } from "./site.ts";

/** The names of the forms on an integration's page. */
export const integrationForms = {
  build: "build",
  release: "release",
  partner: "partner",
  makeDefault: "default",
} as const;

/** One integration with its releases, and the forms that change it. @throws NotFound */
export function integrationPage(view: View, id: number): Html {
  const integration = requireIntegration(view.platform, id);
  const tenants = countTenantsByIntegration(view.platform).get(id);
  return page(
    view,
    "integrations",
    integration.name,
    html`<p class="crumbs"><a href="/console/integrations">Integrations</a></p>
      <h1>${integration.long_name} ${integration.archived ? badge("archived", "plain") : ""}</h1>
      ${live("facts", factsOf(view, integration))}
      <p><a href="/console/tenants?integration=${id}">${counted(tenants?.live ?? 0, "live tenant")} of this integration</a></p>
      <h2>Connectors</h2>
      ${connectors(integration)}
      <h2>Tenants by release</h2>
      ${releaseAdoption(view, integration)}
      <h2>Releases</h2>
      ${live("releases", releases(view, integration))}
      <section class="forms">
        ${fold("build", "Request a build", buildForm(view, integration), wasRefused(view, "build"))}
        ${fold("release", "Add a release by hand", releaseForm(view, integration), wasRefused(view, "release"))}
        ${fold("partner", "Change it as a partner", partnerForm(view, integration), wasRefused(view, "partner"))}
      </section>`,
  );
}

function wasRefused({ refusedForm }: View, key: keyof typeof integrationForms): boolean {
  return refusedForm?.name === integrationForms[key];
}

function factsOf({ platform }: View, integration: IntegrationRecord): Html {
  const byDefault = defaultRelease(platform, integration);
  return facts([
    ["ID", integration.id],
    ["Name", integration.name],
    ["Type", integration.type],
    ["Default release", byDefault ? `${byDefault.name} (${byDefault.id})` : "–"],
    ["Default channel", integration.default_release_channel ?? "–"],
    ["Default schedule", integration.default_schedule ? html`<code>${integration.default_schedule}</code>` : "–"],
    ["Tracking branch", integration.repository_tracking_branch ?? "–"],
    ["Categories", integration.categories?.map(({ name }) => name).join(", ") || "–"],
    ["Tags", integration.tags?.map(({ name }) => name).join(", ") || "–"],
    ["Modified (UTC)", moment(integration.modified_date)],
  ]);
}

function connectors({ connectors }: IntegrationRecord): Html {
  return table({
    caption: "Connectors",
    columns: ["Name", "Connected by"],
    rows: (connectors ?? []).map(({ name, isGlobal }) => [
      name,
      isGlobal ? "the platform, for all tenants (global)" : "each tenant",
    ]),
    empty: "This integration has no connectors.",
  });
}

function releases(view: View, integration: IntegrationRecord): Html {
  const byDefault = defaultRelease(view.platform, integration);
  const rows = view.platform.store.releases
    .list(integration.id)
    .reverse()
    .map((release): Content[] => [
      release.name,
      release.id,
      release.tag ?? "–",
      release.config_version,
      moment(release.created_date),
      schemas(release),
      release.id === byDefault?.id ? badge("default", "good") : makeDefault(view, integration, release),
    ]);
  const columns = ["Name", "ID", "Tag", "Config version", "Created (UTC)", "Schemas", "Default"];
  return table({ caption: "Releases", columns, rows, empty: "There are no releases yet. Request a build to get one." });
}

function schemas({ id, config_schema, metadata_schema }: ReleaseRecord): Html {
  if (!config_schema && !metadata_schema) return html`–`;
  return fold(
    `schemas-${id}`,
    "Show",
    html`<p>Config schema</p>
      ${verbatim(`Config schema of release ${id}`, prettyJson(config_schema))}
      <p>Metadata schema</p>
      ${verbatim(`Metadata schema of release ${id}`, prettyJson(metadata_schema))}`,
  );
}

function makeDefault(view: View, { id }: IntegrationRecord, release: ReleaseRecord): Html {
  const action = `/console/integrations/${id}/releases/${release.id}/default`;
  const label = `Make ${release.name} the default`;
  return form(view, { name: integrationForms.makeDefault, action, submit: "Make default", label, tone: "plain" });
}

function buildForm(view: View, integration: IntegrationRecord): Html {
  const name = integrationForms.build;
  const hint = `Default: ${integration.repository_tracking_branch ?? "none"}`;
  return form(view, {
    name,
    action: `/console/integrations/${integration.id}/builds`,
    submit: "Request build",
    fields: [
      textField(view, { form: name, name: "tag", label: "Tag", hint: "For example v2.0.0", isRequired: true }),
      textField(view, { form: name, name: "branch", label: "Branch", hint }),
    ],
  });
}

function releaseForm(view: View, { id }: IntegrationRecord): Html {
  const name = integrationForms.release;
  const newest = view.platform.store.releases.findLatest(id);
  const schema = (key: "config_schema" | "metadata_schema", label: string) =>
    textArea(view, { form: name, name: key, label, hint: "JSON Schema", value: prettyJson(newest?.[key] ?? null) });
  return form(view, {
    name,
    action: `/console/integrations/${id}/releases`,
    submit: "Add release",
    fields: [
      textField(view, { form: name, name: "name", label: "Name", isRequired: true }),
      textField(view, { form: name, name: "tag", label: "Tag" }),
      textField(view, {
        form: name,
        name: "config_version",
        label: "Config version",
        value: newest?.config_version ?? "1.0",
      }),
      schema("config_schema", "Config schema"),
      schema("metadata_schema", "Metadata schema"),
    ],
  });
}

function partnerForm(view: View, integration: IntegrationRecord): Html {
  const form_ = integrationForms.partner;
  const value = { long_name: integration.long_name, default_schedule: integration.default_schedule ?? "" };
  return form(view, {
    name: form_,
    action: `/console/integrations/${integration.id}/partner-changes`,
    submit: "Change as partner",
    fields: [
      textField(view, {
        form: form_,
        name: "partner_id",
        label: "Partner ID",
        type: "number",
        value: "1",
        isRequired: true,
      }),
      textField(view, {
        form: form_,
        name: "partner_name",
        label: "Partner's name",
        value: "Partner",
        isRequired: true,
      }),
      textField(view, {
        form: form_,
        name: "long_name",
        label: "Display name",
        value: value.long_name,
        isRequired: true,
      }),
      textField(view, {
        form: form_,
        name: "default_schedule",
        label: "Default schedule",
        hint: "Cron with five fields, UTC. Leave it empty for none",
        value: value.default_schedule,
      }),
    ],
  });
}
