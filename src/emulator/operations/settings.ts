import { eventKeys } from "../entities/event.ts";
import type { Settings, SettingsChange } from "../entities/settings.ts";
import { invalid } from "../http/problems.ts";
import type { Platform } from "../platform.ts";

/**
 * Changes an administrator's settings. Webhooks can be turned on only while there is a URL for them; without one they
 * are all off.
 *
 * @throws InvalidRequest
 */
export function changeSettings({ store }: Platform, change: SettingsChange): Settings {
  const current = store.settings.read();
  const webhook_url = change.webhook_url === undefined ? current.webhook_url : change.webhook_url;
  const refused = eventKeys.find((key) => webhook_url === null && change.notifications?.[key]?.send_webhook === true);
  if (refused !== undefined) {
    throw invalid(["body", "notifications", refused, "send_webhook"], "needs a webhook URL to be set first");
  }

  const settings: Settings = {
    account: { ...current.account, ...given(change.account ?? {}) },
    primary_contact: change.primary_contact === undefined ? current.primary_contact : change.primary_contact,
    webhook_url,
    notifications: notificationsAfter(current, change, webhook_url !== null),
  };
  store.settings.write(settings);
  return settings;
}

function notificationsAfter(
  { notifications }: Settings,
  change: SettingsChange,
  hasUrl: boolean,
): Settings["notifications"] {
  const after = (key: (typeof eventKeys)[number]) => {
    const { send_webhook, subscribers } = { ...notifications[key], ...given(change.notifications?.[key] ?? {}) };
    return { send_webhook: hasUrl && send_webhook, subscribers };
  };
  return {
    integration_created: after("integration_created"),
    tenant_created: after("tenant_created"),
    tenant_archived: after("tenant_archived"),
    partner_integration_updated: after("partner_integration_updated"),
    run_failed: after("run_failed"),
  };
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Without what is undefined. */
function given<Fields extends object>(fields: Fields): Given<Fields>;
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
