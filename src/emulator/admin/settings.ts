import { z } from "zod";
import { maxLength, minLength } from "../../inputs/string-schema.ts";
import { settingsChangeSchema } from "../entities/settings.ts";
import type { App } from "../http/environment.ts";
import { integerParameter, integerQuery, queryOf } from "../http/parameters.ts";
import { parseJsonObject } from "../http/request-body.ts";
import { json } from "../http/responses.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../operations/api-keys.ts";
import { changeSettings } from "../operations/change-settings.ts";
import type { Platform } from "../platform.ts";
import { parseRequest } from "../rules/parse-request.ts";

/** The settings, API keys, webhooks and e-mails, for other programs. */
export function settingsRoutes(app: App, platform: Platform): void {
  const { store } = platform;
  app.get("/_emulator/settings", () => json(store.settings.read()));
  app.patch("/_emulator/settings", (context) => {
    const change = parseRequest(settingsChangeSchema, parseJsonObject(context.env.bodyText), "body");
    return json(changeSettings(platform, change));
  });

  app.get("/_emulator/api-keys", () => json(listApiKeys(platform)));
  app.post("/_emulator/api-keys", (context) => {
    const { name } = parseRequest(newKeySchema, parseJsonObject(context.env.bodyText), "body");
    return json(createApiKey(platform, name));
  });
  app.delete("/_emulator/api-keys/:key_id", (context) =>
    json(revokeApiKey(platform, integerParameter("key_id", context.req.param("key_id")))),
  );

  app.get("/_emulator/deliveries", (context) => {
    const { limit } = parseRequest(newestSchema, queryOf(context.req.url), "query");
    return json(store.deliveries.newest(limit).reverse());
  });
  app.get("/_emulator/outbox", (context) => {
    const { limit } = parseRequest(newestSchema, queryOf(context.req.url), "query");
    return json(store.emails.newest(limit).reverse());
  });
}

const newKeySchema = z.strictObject({ name: z.string().trim().check(minLength(1), maxLength(200)) });
const newestSchema = z.object({ limit: integerQuery(1, 10_000) });
