import { z } from "zod";
import { maxLength, minLength } from "../../inputs/string-schema.ts";
import { eventKeys } from "../entities/event.ts";
import { settingsChangeSchema } from "../entities/settings.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/parameters.ts";
import { createApiKey, revokeApiKey } from "../operations/api-keys.ts";
import { changeSettings } from "../operations/change-settings.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { apiAccessPage, notificationsPage, settingsForms } from "./settings-page.ts";
import type { Site } from "./site.ts";
import { optionalText, submit, text, viewOf } from "./submission.ts";

/** The tabs of the settings, and their forms. */
export function settingsRoutes(app: App, site: Site): void {
  const { platform } = site;
  app.get("/settings", (context) => context.redirect("/console/settings/api-access"));
  app.get("/settings/api-access", (context) => context.html(apiAccessPage(viewOf(site, context))));
  app.get("/settings/notifications", (context) => context.html(notificationsPage(viewOf(site, context))));

  app.post("/settings/api-keys", (context) =>
    submit(
      site,
      context,
      settingsForms.newKey,
      (fields) => {
        const { name } = parseRequest(newKeySchema, { name: text(fields, "name") }, "body");
        const { key } = createApiKey(platform, name);
        const notice = { text: `The key ${name} was created. Copy it now: no other page shows it.`, secret: key };
        return { goTo: "/console/settings/api-access", notice };
      },
      apiAccessPage,
    ),
  );
  app.post("/settings/api-keys/:key_id/revoke", (context) => {
    const id = integerParameter("key_id", context.req.param("key_id"));
    const revoke = () => {
      const { name } = revokeApiKey(platform, id);
      return { goTo: "/console/settings/api-access", notice: { text: `The key ${name} was revoked.` } };
    };
    return submit(site, context, settingsForms.revokeKey, revoke, apiAccessPage);
  });
  app.post("/settings/notifications", (context) =>
    submit(
      site,
      context,
      settingsForms.notifications,
      (fields) => {
        changeSettings(platform, parseRequest(settingsChangeSchema, settingsChange(fields), "body"));
        return { goTo: "/console/settings/notifications", notice: { text: "The settings were saved." } };
      },
      notificationsPage,
    ),
  );
}

const newKeySchema = z.strictObject({ name: z.string().trim().check(minLength(1), maxLength(200)) });

/** The change that a form requests. Browsers do not send a checkbox that is off. Without a URL all webhooks are off. */
function settingsChange(fields: URLSearchParams): object {
  const webhook_url = optionalText(fields, "webhook_url") ?? null;
  const notifications = eventKeys.map((key) => {
    const send_webhook = webhook_url !== null && fields.has(`${key}.send_webhook`);
    return [key, { send_webhook, subscribers: text(fields, `${key}.subscribers`) }];
  });
  return {
    webhook_url,
    primary_contact: optionalText(fields, "primary_contact") ?? null,
    notifications: Object.fromEntries(notifications),
  };
}
