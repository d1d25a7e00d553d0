import { html } from "hono/html";
import type { TenantRecord } from "../entities/tenant.ts";
import { resolveRelease } from "../operations/release-choice.ts";
import type { Platform } from "../platform.ts";
import { maskSecrets } from "../rules/mask-secrets.ts";
import { choicesForm } from "./choices-form.ts";
import { fold, type Html, live, prettyJson, verbatim } from "./elements.ts";
import { form, selectField, textArea, textField } from "./form.ts";
import type { View } from "./site.ts";

/** The names of the forms on a tenant's page. */
export const tenantForms = {
  pause: "pause",
  sync: "sync",
  archive: "archive",
  restore: "restore",
  connector: "connector",
  schedule: "schedule",
  release: "release",
  choices: "choices",
  configs: "configs",
  metadata: "metadata",
} as const;

/** The buttons of a tenant: pause, sync, archive; for an archived tenant, restore. */
export function tenantActions(view: View, tenant: TenantRecord): Html {
  const action = (name: string) => `/console/tenants/${tenant.id}/${name}`;
  if (tenant.archived) {
    const submit = "Restore";
    return html`<div class="actions">
      ${form(view, { name: tenantForms.restore, action: action("restore"), submit, tone: "plain" })}
    </div>`;
  }
  const pause = tenant.paused === false ? (["pause", "Pause"] as const) : (["resume", "Resume"] as const);
  const sync = tenantForms.sync;
  const modes = [
    ["normal", "normal"],
    ["init", "init"],
  ] as const;
  return html`<div class="actions">
    ${form(view, { name: tenantForms.pause, action: action(pause[0]), submit: pause[1], tone: "plain" })}
    ${fold(
      "sync",
      "Sync…",
      form(view, {
        name: sync,
        action: action("sync"),
        submit: "Request sync",
        fields: [selectField(view, { form: sync, name: "mode", label: "Mode", options: modes })],
      }),
      view.refusedForm?.name === sync,
    )}
    ${fold(
      "archive",
      "Archive…",
      html`<p>${tenant.name} will no longer run, and no list will show it. The API cannot undo this.</p>
        ${form(view, { name: tenantForms.archive, action: action("archive"), submit: "Archive this tenant", tone: "danger" })}`,
      view.refusedForm?.name === tenantForms.archive,
    )}
  </div>`;
}

/** The forms that change a tenant's settings. An archived tenant's settings are read-only. */
export function tenantSettings(view: View, tenant: TenantRecord): Html {
  const configs = prettyJson(configsWithMaskedSecrets(view.platform, tenant));
  const metadata = prettyJson(view.platform.store.metadata.find(tenant.id)?.data ?? null);
  const dynamic = prettyJson(tenant.status?.dynamic_configs ?? null);
  const options = dynamic === "{}" ? html`` : html`<h2>Dynamic configs</h2>${verbatim("Dynamic configs", dynamic)}`;
  if (tenant.archived) {
    return html`<h2>Configs</h2>${verbatim("Configs", configs)}<h2>Metadata</h2>${verbatim("Metadata", metadata)}`;
  }
  const choices = choicesForm(view, tenant, tenantForms.choices);
  return html`<h2>Settings</h2>
    <div class="columns">
      ${live("schedule-form", scheduleForm(view, tenant))} ${live("release-form", releaseForm(view, tenant))}
      ${choices ? live("choices-form", choices) : ""}
      ${live("configs-form", jsonForm(view, tenant, "configs", "Configs", configs))}
      ${live("metadata-form", jsonForm(view, tenant, "metadata", "Metadata", metadata))}
    </div>
    ${live("dynamic-configs", options)}`;
}

/** A tenant's configs, with the secrets masked in every variant. The schema of the tenant's release marks the secrets. */
export function configsWithMaskedSecrets(platform: Platform, tenant: TenantRecord) {
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  return tenant.configs && maskSecrets(release?.config_schema, tenant.configs);
}

function scheduleForm(view: View, tenant: TenantRecord): Html {
  const name = tenantForms.schedule;
  return form(view, {
    name,
    action: `/console/tenants/${tenant.id}/schedule`,
    submit: "Save schedule",
    fields: [
      textField(view, {
        form: name,
        name: "user_schedule",
        label: "Own schedule",
        hint: "Cron with five fields, UTC. Leave it empty for the integration's default",
        value: tenant.user_schedule ?? "",
      }),
    ],
  });
}

function releaseForm(view: View, tenant: TenantRecord): Html {
  const name = tenantForms.release;
  const { integration_release_channel: channel, integration_release_id: id } = tenant;
  const releases = view.platform.store.releases.list(tenant.integration_id).reverse();
  const isNone = channel === null && id === null;
  const options = [
    ...(isNone ? [["", "None"] as const] : []),
    ["Latest", "Channel Latest"] as const,
    ["Default", "Channel Default"] as const,
    ...releases.map((release) => [String(release.id), `${release.name} (${release.id})`] as const),
  ];
  const value = channel ?? (id === null ? "" : String(id));
  return form(view, {
    name,
    action: `/console/tenants/${tenant.id}/release`,
    submit: "Save release",
    fields: [selectField(view, { form: name, name: "release", label: "Release", value, options })],
  });
}

function jsonForm(view: View, tenant: TenantRecord, name: "configs" | "metadata", label: string, value: string): Html {
  const secrets = name === "configs" ? " Secrets show as ***. A secret that you do not edit keeps its value." : "";
  return form(view, {
    name,
    action: `/console/tenants/${tenant.id}/${name}`,
    submit: `Save ${name}`,
    fields: [
      textArea(view, {
        form: name,
        name,
        label,
        hint: `A JSON object. The release's schema checks it.${secrets}`,
        value,
      }),
    ],
  });
}
