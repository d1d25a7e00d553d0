import { z } from "zod";
import type { Call } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { type ListQuery, pageQuery } from "./list-query.ts";
import { createPages, matching } from "./pages.ts";
import { path } from "./path.ts";
import { type SyncMode, type Trigger, triggerSchema } from "./triggers.ts";
import { recordId, wireList, wireObject, withDefault } from "./wire-schema.ts";

/** `/v2/integrations` (specification, "Integrations"). */
export interface Integrations {
  /** One page: 100 records unless `limit` says otherwise. */
  listPage(query?: ListIntegrationsQuery): Promise<Integration[]>;
  /** All of them, from `skip` on; `limit` is the size of a page, default 500. */
  list(query?: ListIntegrationsQuery): AsyncIterable<Integration>;
  get(integrationId: number): Promise<Integration>;
  /** Those of a name, archived ones aside. The API has no such request: all are listed. Names need not be unique. */
  named(name: string): Promise<Integration[]>;
  /**
   * Requests a sync of the tenant that a marketplace install by this user made. For other tenants see `tenants.sync`. Accepted does not
   * mean run: see `runs.getTriggerStatus`.
   */
  sync(integrationId: number, request: IntegrationSyncRequest): Promise<Trigger>;
}

/** Which integrations, in which order, which page. */
export type ListIntegrationsQuery = ListQuery;

export interface IntegrationSyncRequest {
  mode: SyncMode;
  /** The user's id, as the caller's system sent it to the marketplace at the install. */
  userName: string;
  /** Its fields are determined by the integration. */
  body?: JsonObject | null | undefined;
}

/** An integration. `type` is `Internal`, `External`, `Platform`, or a newer value. */
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
    named: (name) => matching(list(), (integration) => integration.name === name),
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
