import { type EventKey, eventKeys, forEachEvent } from "../entities/event.ts";
import type { Settings, SettingsChange } from "../entities/settings.ts";
import type { Platform } from "../platform.ts";
import { invalid } from "../rules/problems.ts";

/**
 * Changes the settings of the account. Webhooks can be on only while there is a webhook URL; without one they are all
 * off.
 *
 * @throws InvalidRequest
 */
export function changeSettings({ store }: Platform, change: SettingsChange): Settings {
  const current = store.settings.read();
  const webhook_url = change.webhook_url === undefined ? current.webhook_url : change.webhook_url;
  const refused = eventKeys.find((key) => webhook_url === null && change.notifications?.[key]?.send_webhook === true);
  if (refused !== undefined) {
    throw invalid(["body", "notifications", refused, "send_webhook"], "needs a webhook URL: set webhook_url first");
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
  return forEachEvent((event: EventKey) => {
    const { send_webhook, subscribers } = { ...notifications[event], ...given(change.notifications?.[event] ?? {}) };
    return { send_webhook: hasUrl && send_webhook, subscribers };
  });
}

type Given<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields without those that are undefined. */
function given<Fields extends object>(fields: Fields): Given<Fields>;
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
