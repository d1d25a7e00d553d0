import { z } from "zod";
import { minLength } from "../../text-schema.ts";
import type { TriggerRecord } from "../entities/run.ts";
import { json, refusingInWords } from "../http/answers.ts";
import { parseOptionalJsonObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { queryOf } from "../http/list-query.ts";
import { parseRequest } from "../http/parse.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { requestSync, requestUserSync } from "../operations/request-sync.ts";
import type { Platform } from "../platform.ts";

/** Specification, "Endpoints": the syncs of integrations and of tenants, which refuse in different shapes. */
export function syncRoutes(app: App, platform: Platform): void {
  app.post("/v2/integrations/:integration_id/sync", (context) =>
    refusingInWords(() => {
      const id = integerParameter("integration_id", context.req.param("integration_id"));
      const { mode, user_name } = parseRequest(userSyncSchema, queryOf(context.req.url), "query");
      const body = parseOptionalJsonObject(context.env.bodyText);
      return accepted(requestUserSync(platform, id, user_name, { mode, body }));
    }),
  );

  app.post("/v2/tenants/:tenant_id/sync", (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    const { mode } = parseRequest(syncSchema, queryOf(context.req.url), "query");
    const body = parseOptionalJsonObject(context.env.bodyText);
    return accepted(requestSync(platform, id, { mode, body }));
  });
}

/** The query of a tenant's sync. */
export const syncSchema = z.object({ mode: z.enum(["init", "normal"]) });
/** The query of a sync by integration and user. */
export const userSyncSchema = syncSchema.extend({ user_name: z.string().check(minLength(1)) });

function accepted({ trigger_id }: TriggerRecord): Response {
  return json({ trigger_id }, 202);
}
