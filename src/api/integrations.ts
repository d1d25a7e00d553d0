import * as z from "zod";
import type { JsonObject } from "../json/json-value.ts";
import type { Call } from "./call.ts";
import { createPages, filterAll, type ListQuery, pageQuery } from "./pages.ts";
import { path } from "./request.ts";
import { type SyncMode, type Trigger, triggerSchema } from "./runs.ts";
import { recordId, wireList, wireObject, withDefault } from "./wire-schema.ts";

/** `/v2/integrations` (specification, "Integrations"). */
export interface Integrations {
  /** One page; `limit` is 100 by default. */
  listPage(query?: ListIntegrationsQuery): Promise<Integration[]>;
  /** All integrations of the query, page by page, from `skip` on. `limit` is the size of a page: default 500. */
  list(query?: ListIntegrationsQuery): AsyncIterable<Integration>;
  get(integrationId: number): Promise<Integration>;
  /**
   * The integrations of a name that are not archived; names need not be unique. The API has no such request: all
   * integrations are listed.
   */
  named(name: string): Promise<Integration[]>;
  /**
   * Requests a sync of the tenant that a user's marketplace install created; for other tenants use `tenants.sync`. It runs
   * later: `runs.getTriggerStatus` tells how it goes.
   */
  sync(integrationId: number, request: IntegrationSyncRequest): Promise<Trigger>;
}

/** Selects, orders and pages integrations. */
export type ListIntegrationsQuery = ListQuery;

/** Options of a sync by integration and user. */
export interface IntegrationSyncRequest {
  mode: SyncMode;
  /** The user's id, as your system sent it to the marketplace at the install. */
  userName: string;
  /** Passed to the integration, which defines its fields. */
  body?: JsonObject | null | undefined;
}

/** An integration (specification, "Integration"). `type` is `Internal`, `External`, `Platform`, or a newer value. */
export type Integration = z.infer<typeof integrationSchema>;

export const integrationSchema = wireObject({
  id: recordId,
  created_date: z.string().nullish(),
  modified_date: z.string().nullish(),
  name: z.string(),
  long_name: z.string(),
  connectors: wireList(wireObject({ name: z.string(), isGlobal: z.boolean() })).nullish(),
  repository_path: z.string().nullish(),
  repository_tracking_branch: z.string().nullish(),
  repository_url: z.string().nullish(),
  type: z.string(),
  categories: withDefault(
    wireList(
      wireObject({ name: z.string(), id: recordId, description: z.string().nullish(), order_index: z.number() }),
    ),
    () => [],
  ),
  tags: withDefault(
    wireList(wireObject({ name: z.string(), id: recordId, description: z.string().nullish() })),
    () => [],
  ),
  flag: wireObject({ name: z.string(), id: recordId, flag_color: z.string().nullish() }).nullish(),
  default_release_id: recordId.nullish(),
  default_release_channel: z.string().nullish(),
});

export function createIntegrations(call: Call): Integrations {
  function listPage(query: ListIntegrationsQuery = {}) {
    return call(
      { method: "GET", path: "/v2/integrations", query: pageQuery(query), isList: true },
      wireList(integrationSchema),
    );
  }

  const pages = createPages(listPage);
  const list = (query: ListIntegrationsQuery = {}) => pages.each(query);

  return {
    listPage,
    list,
    named: (name) => filterAll(list(), (integration) => integration.name === name),
    get: async (integrationId) =>
      call({ method: "GET", path: path`/v2/integrations/${integrationId}` }, integrationSchema),
    sync: async (integrationId, { mode, userName, body }) =>
      call(
        {
          method: "POST",
          path: path`/v2/integrations/${integrationId}/sync`,
          query: { mode, user_name: userName },
          body,
        },
        triggerSchema,
      ),
  };
}
