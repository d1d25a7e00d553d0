import { html } from "hono/html";
import { eventKeys } from "../entities/event.ts";
import { type ApiKey, listApiKeys } from "../operations/api-keys.ts";
import { badge, type Content, fold, type Html, moment, table, tabs } from "./elements.ts";
import { checkbox, form, textField } from "./form.ts";
import { page } from "./layout.ts";
import type { View } from "./site.ts";

/** The names of the forms on the settings pages. */
export const settingsForms = { newKey: "new-key", revokeKey: "revoke-key", notifications: "notifications" } as const;

/** Specification, "Authentication": Settings, tab "API Access". */
export function apiAccessPage(view: View): Html {
  const rows = listApiKeys(view.platform).map((key): Content[] => [
    key.name,
    key.id,
    moment(key.created_date),
    key.revoked_date === null ? badge("valid", "good") : html`${badge("revoked", "plain")} ${moment(key.revoked_date)}`,
    key.revoked_date === null ? revocation(view, key) : "–",
  ]);
  const name = settingsForms.newKey;
  return page(
    view,
    "settings",
    "API Access",
    html`<h1>Settings</h1>
      ${settingsTabs("api-access")}
      <h2>API keys</h2>
      ${table({ caption: "API keys", columns: ["Name", "ID", "Created (UTC)", "State", "Action"], rows, empty: "There are no API keys." })}
      <h2>New key</h2>
      ${form(view, {
        name,
        action: "/console/settings/api-keys",
        submit: "Create key",
        fields: [
          textField(view, {
            form: name,
            name: "name",
            label: "Name",
            hint: "What the key is for. The next page shows the key itself, once.",
            isRequired: true,
          }),
        ],
      })}`,
  );
}

/** Specification, "Events", "Configuration": Settings, tab "Notifications & Webhooks". */
export function notificationsPage(view: View): Html {
  const settings = view.platform.store.settings.read();
  const name = settingsForms.notifications;
  const hasUrl = settings.webhook_url !== null;
  return page(
    view,
    "settings",
    "Notifications & Webhooks",
    html`<h1>Settings</h1>
      ${settingsTabs("notifications")}
      <h2>Notifications &amp; Webhooks</h2>
      ${form(view, {
        name,
        action: "/console/settings/notifications",
        submit: "Save",
        fields: [
          textField(view, {
            form: name,
            name: "webhook_url",
            label: "Webhook URL",
            hint: `One URL for all events, http or https. ${hasUrl ? "Without it no webhooks are sent." : "Save it first: then the checkboxes below can be ticked."}`,
            value: settings.webhook_url ?? "",
          }),
          textField(view, {
            form: name,
            name: "primary_contact",
            label: "Primary contact",
            hint: "An e-mail address that gets an e-mail for every event",
            value: settings.primary_contact ?? "",
          }),
          ...eventKeys.map((key) => {
            const { send_webhook, subscribers } = settings.notifications[key];
            return html`<fieldset>
              <legend><code>${key}</code></legend>
              ${checkbox(view, { form: name, name: `${key}.send_webhook`, label: "Send Webhook", isTicked: send_webhook, isDisabled: !hasUrl })}
              ${textField(view, { form: name, name: `${key}.subscribers`, label: "Subscribers", hint: "E-mail addresses, separated by commas", value: subscribers.join(", ") })}
            </fieldset>`;
          }),
        ],
      })}`,
  );
}

function settingsTabs(current: "api-access" | "notifications"): Html {
  return tabs("Settings", [
    { label: "API Access", href: "/console/settings/api-access", isCurrent: current === "api-access" },
    {
      label: "Notifications & Webhooks",
      href: "/console/settings/notifications",
      isCurrent: current === "notifications",
    },
  ]);
}

function revocation(view: View, { id, name }: ApiKey): Html {
  return fold(
    `revoke-${id}`,
    "Revoke…",
    form(view, {
      name: settingsForms.revokeKey,
      action: `/console/settings/api-keys/${id}/revoke`,
      submit: "Revoke permanently",
      label: `Revoke ${name} permanently`,
      tone: "danger",
    }),
  );
}
