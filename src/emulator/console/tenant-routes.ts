import type { Context } from "hono";
import { z } from "zod";
import { maxLength, minLength } from "../../text-schema.ts";
import type { App, Environment } from "../http/environment.ts";
import { integerQuery, queryOf } from "../http/list-query.ts";
import { parseRequest } from "../http/parse.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { archiveTenant } from "../operations/archive-tenant.ts";
import { checkConfigs, checkMetadata } from "../operations/check-configs.ts";
import { addTenant, changeTenant, setConnectorStatus } from "../operations/console-tenants.ts";
import { requireTenant } from "../operations/find.ts";
import { requestSync } from "../operations/request-sync.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import { updateTenant } from "../operations/update-tenant.ts";
import { refused } from "../routes/refusals.ts";
import { seedTenantSchema } from "../seed/schema.ts";
import { unmask } from "./masked-configs.ts";
import type { Site } from "./site.ts";
import { jsonField, optionalText, submit, text, viewOf } from "./submission.ts";
import { shownConfigs, tenantForms } from "./tenant-forms.ts";
import { installForm, type TenantFilter, tenantListPage } from "./tenant-list-page.ts";
import { tenantPage } from "./tenant-page.ts";

/** The pages about tenants, and what their forms do. */
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
        const { id, name } = refused(() => addTenant(platform, given, "marketplace"));
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

/** The forms of a tenant's page by their action: what each does, and says when it is done. */
const actions: Readonly<Record<string, readonly [form: string, work: Work]>> = {
  pause: [tenantForms.pause, (site, id) => setPaused(site, id, true)],
  resume: [tenantForms.pause, (site, id) => setPaused(site, id, false)],
  sync: [tenantForms.sync, sync],
  archive: [
    tenantForms.archive,
    ({ platform }, id) => {
      archiveTenant(platform, id);
      return "The tenant is archived.";
    },
  ],
  "bring-back": [
    tenantForms.bringBack,
    ({ platform }, id) => {
      changeTenant(platform, id, { archived: false });
      return "The tenant is live again.";
    },
  ],
  schedule: [
    tenantForms.schedule,
    ({ platform }, id, fields) => {
      updateTenant(platform, id, { user_schedule: optionalText(fields, "user_schedule") ?? null });
      return "The schedule is saved.";
    },
  ],
  release: [
    tenantForms.release,
    ({ platform }, id, fields) => {
      updateTenant(platform, id, chosenRelease(text(fields, "release")));
      return "The release is saved.";
    },
  ],
  configs: [tenantForms.configs, saveConfigs],
  metadata: [
    tenantForms.metadata,
    ({ platform }, id, fields) => {
      const tenant = requireTenant(platform, id);
      const release = resolveRelease(platform, tenant.integration_id, tenant);
      changeTenant(platform, id, { metadata: checkMetadata(platform, release, jsonField(fields, "metadata")) });
      return "The metadata is saved.";
    },
  ],
};

type Work = (site: Site, tenantId: number, fields: URLSearchParams) => string;

function setPaused({ platform }: Site, id: number, paused: boolean): string {
  updateTenant(platform, id, { paused });
  return paused ? "The tenant is paused." : "The tenant is active.";
}

function sync({ platform }: Site, id: number, fields: URLSearchParams): string {
  const { mode } = parseRequest(syncSchema, { mode: text(fields, "mode") }, "body");
  requestSync(platform, id, { mode, body: null }, "console");
  return "A sync was requested; its run begins in a moment.";
}

/** The text takes the place of all configs: what was deleted in it is gone. */
function saveConfigs({ platform }: Site, id: number, fields: URLSearchParams): string {
  const tenant = requireTenant(platform, id);
  const edited = unmask(tenant.configs ?? {}, shownConfigs(platform, tenant) ?? {}, jsonField(fields, "configs"));
  const release = resolveRelease(platform, tenant.integration_id, tenant);
  changeTenant(platform, id, { configs: checkConfigs(platform, release, edited) });
  return "The configs are saved.";
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
