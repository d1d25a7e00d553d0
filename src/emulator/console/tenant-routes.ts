import type { Context } from "hono";
import { z } from "zod";
import { maxLength, minLength } from "../../inputs/string-schema.ts";
import { seedTenantSchema } from "../entities/seed.ts";
import type { App, Environment } from "../http/environment.ts";
import { integerParameter, integerQuery, queryOf } from "../http/parameters.ts";
import { addTenant, changeTenant, setConnectorStatus } from "../operations/administer-tenants.ts";
import { checkConfigs, checkMetadata } from "../operations/check-configs.ts";
import { resolveRelease } from "../operations/release-choice.ts";
import { requestSync } from "../operations/request-sync.ts";
import { requireTenant } from "../operations/require.ts";
import { archiveTenant, updateTenant } from "../operations/tenants.ts";
import type { Platform } from "../platform.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { mask } from "../rules/mask-secrets.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { asInvalidRequest } from "../rules/problems.ts";
import { configsWithChoices } from "./choices-form.ts";
import type { Site } from "./site.ts";
import { jsonField, optionalText, submit, text, viewOf } from "./submission.ts";
import { configsWithMaskedSecrets, tenantForms } from "./tenant-forms.ts";
import { installForm, type TenantFilter, tenantListPage } from "./tenant-list-page.ts";
import { tenantPage } from "./tenant-page.ts";

/** The pages about tenants, and their forms. */
export function tenantRoutes(app: App, site: Site): void {
  const { platform } = site;
  app.get("/tenants", (context) =>
    context.html(tenantListPage(viewOf(site, context), parseRequest(filterSchema, queryOf(context.req.url), "query"))),
  );
  app.post("/tenants", (context) =>
    submit(
      site,
      context,
      installForm,
      (fields) => {
        const given = parseRequest(installSchema, installed(fields), "body");
        const { id, name } = asInvalidRequest(() => addTenant(platform, given, "marketplace"));
        return { goTo: `/console/tenants/${id}`, notice: { text: `${name} was installed.` } };
      },
      (view) => tenantListPage(view, everything),
    ),
  );
  app.get("/tenants/:tenant_id", (context) => context.html(tenantPage(viewOf(site, context), tenantIdOf(context))));

  for (const [action, [form, work]] of Object.entries(actions)) {
    app.post(`/tenants/:tenant_id/${action}`, (context) => {
      const id = tenantIdOf(context);
      const done = (fields: URLSearchParams) => ({
        goTo: `/console/tenants/${id}`,
        notice: { text: work(site, id, fields) },
      });
      return submit(site, context, form, done, (view) => tenantPage(view, id));
    });
  }
  for (const [action, status] of [
    ["connect", "connected"],
    ["disconnect", "disconnected"],
  ] as const) {
    app.post(`/tenants/:tenant_id/connectors/:connector_name/${action}`, (context) => {
      const id = tenantIdOf(context);
      const connector = context.req.param("connector_name");
      const done = () => {
        requireTenant(platform, id);
        setConnectorStatus(platform, id, connector, status);
        return { goTo: `/console/tenants/${id}`, notice: { text: `${connector} is ${status}.` } };
      };
      return submit(site, context, tenantForms.connector, done, (view) => tenantPage(view, id));
    });
  }
}

/** The forms of a tenant's page by the last segment of their action: the work of each, which returns the notice. */
const actions: Readonly<Record<string, readonly [form: string, work: Work]>> = {
  pause: [tenantForms.pause, (site, id) => setPaused(site, id, true)],
  resume: [tenantForms.pause, (site, id) => setPaused(site, id, false)],
  sync: [tenantForms.sync, sync],
  archive: [
    tenantForms.archive,
    ({ platform }, id) => {
      archiveTenant(platform, id);
      return "The tenant was archived.";
    },
  ],
  restore: [
    tenantForms.restore,
    ({ platform }, id) => {
      changeTenant(platform, id, { archived: false });
      return "The tenant was restored.";
    },
  ],
  schedule: [
    tenantForms.schedule,
    ({ platform }, id, fields) => {
      updateTenant(platform, id, { user_schedule: optionalText(fields, "user_schedule") ?? null });
      return "The schedule was saved.";
    },
  ],
  release: [
    tenantForms.release,
    ({ platform }, id, fields) => {
      updateTenant(platform, id, chosenRelease(text(fields, "release")));
      return "The release was saved.";
    },
  ],
  choices: [
    tenantForms.choices,
    ({ platform }, id, fields) => {
      updateConfigs(platform, id, configsWithChoices(platform, requireTenant(platform, id), fields));
      return "The choices were saved.";
    },
  ],
  configs: [tenantForms.configs, saveConfigs],
  metadata: [
    tenantForms.metadata,
    ({ platform }, id, fields) => {
      const tenant = requireTenant(platform, id);
      const release = resolveRelease(platform, tenant.integration_id, tenant);
      changeTenant(platform, id, { metadata: checkMetadata(platform, release, jsonField(fields, "metadata")) });
      return "The metadata was saved.";
    },
  ],
};

type Work = (site: Site, tenantId: number, fields: URLSearchParams) => string;

function setPaused({ platform }: Site, id: number, paused: boolean): string {
  updateTenant(platform, id, { paused });
  return paused ? "The tenant was paused." : "The tenant was resumed.";
}

function sync({ platform }: Site, id: number, fields: URLSearchParams): string {
  const { mode } = parseRequest(syncSchema, { mode: text(fields, "mode") }, "body");
  requestSync(platform, id, { mode, body: null }, "console");
  return "A sync was requested. Its run starts in a second.";
}

/** Replaces all configs by those of the form: a key that the form no longer has is removed. */
function saveConfigs({ platform }: Site, id: number, fields: URLSearchParams): string {
  const tenant = requireTenant(platform, id);
  const edited = unmask(
    tenant.configs ?? {},
    configsWithMaskedSecrets(platform, tenant) ?? {},
    jsonField(fields, "configs"),
  );
  updateConfigs(platform, id, edited);
  return "The configs were saved.";
}

function updateConfigs(platform: Platform, id: number, configs: JsonObject): void {
  const tenant = requireTenant(platform, id);
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  changeTenant(platform, id, { configs: checkConfigs(platform, release, configs) });
}

function chosenRelease(value: string): object {
  if (/^\d+$/.test(value)) return { integration_release_id: Number(value) };
  return value === "" ? {} : { integration_release_channel: value };
}

function installed(fields: URLSearchParams): object {
  return {
    integration: Number(text(fields, "integration") || Number.NaN),
    name: text(fields, "name"),
    user_name: text(fields, "user_name"),
  };
}

function tenantIdOf(context: Context<Environment>): number {
  return integerParameter("tenant_id", context.req.param("tenant_id") ?? "");
}

const installSchema = seedTenantSchema.extend({
  name: z.string().check(minLength(1), maxLength(200)),
  user_name: z.string().check(minLength(1)),
});
const syncSchema = z.object({ mode: z.enum(["init", "normal"]) });
const filterSchema = z.object({
  q: z.string().trim().default(""),
  integration: integerQuery(0, 0),
  archived: z.enum(["no", "yes", "both"]).default("no"),
  page: integerQuery(1, 1),
});
const everything: TenantFilter = { q: "", integration: 0, archived: "no", page: 1 };

/**
 * Configs that somebody edited while their secrets were masked. A value that was masked, and still reads `***`, gets its
 * current value back.
 *
 * @param shown `current` with its secrets masked, as the form showed it.
 */
function unmask(current: JsonObject, shown: JsonObject, edited: JsonObject): JsonObject {
  const result = unmaskValue(current, shown, edited);
  return isJsonObject(result) ? result : edited;
}

function unmaskValue(current: unknown, shown: unknown, edited: unknown): unknown {
  if (edited === mask && shown === mask) return current;
  if (Array.isArray(edited) && Array.isArray(current) && Array.isArray(shown)) {
    return edited.map((item, index) => unmaskValue(current[index], shown[index], item));
  }
  if (!isJsonObject(edited) || !isJsonObject(current) || !isJsonObject(shown)) return edited;
  return Object.fromEntries(
    Object.entries(edited).map(([key, item]) => [key, unmaskValue(own(current, key), own(shown, key), item)]),
  );
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
