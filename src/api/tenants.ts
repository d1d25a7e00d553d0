import type { JsonObject } from "../json/json-value.ts";
import type { Call } from "./call.ts";
import { operationMissing } from "./operation-missing.ts";
import { createPages, filterAll, type ListQuery, pageQuery } from "./pages.ts";
import { type Release, releaseSchema } from "./releases.ts";
import { path } from "./request.ts";
import { type SyncMode, type Trigger, triggerSchema } from "./runs.ts";
import { type CreateTenant, type Tenant, type TenantPatch, tenantSchema } from "./tenant-schema.ts";
import { wireList } from "./wire-schema.ts";

/** `/v2/tenants` (specification, "Tenants"). The API has no request for a single tenant by its id. */
export interface Tenants {
  /** One page; `limit` is 100 by default. */
  listPage(query?: ListTenantsQuery): Promise<Tenant[]>;
  /** All tenants of the query, page by page, from `skip` on. `limit` is the size of a page: default 500. */
  list(query?: ListTenantsQuery): AsyncIterable<Tenant>;
  /** The tenants of a name that are not archived. The API has no such request: all tenants of the query are listed. */
  named(name: string, query?: ListTenantsQuery): Promise<Tenant[]>;
  /**
   * Creates a tenant, which is unconnected and paused. A request whose response was lost is not retried; the error's
   * `mayHaveBeenApplied` is true.
   */
  create(body: CreateTenant): Promise<Tenant>;
  /**
   * Changes the given fields. Resolves to undefined where the response, which is not documented, is not the tenant: list it
   * to see what was applied.
   */
  update(tenantId: number, patch: TenantPatch): Promise<Tenant | undefined>;
  /** Archives a tenant; this cannot be undone. Rejects with `NotFoundError` where it does not exist or is already archived. */
  archive(tenantId: number): Promise<void>;
  /** The tenant's release. Resolves to undefined where the response, which is not documented, is not a release. */
  getRelease(tenantId: number): Promise<Release | undefined>;
  /** Requests a sync, which runs later: `runs.getTriggerStatus` tells how it goes. */
  sync(tenantId: number, request: TenantSyncRequest): Promise<Trigger>;
}

/** Selects, orders and pages tenants. */
export interface ListTenantsQuery extends ListQuery {
  /** Only tenants of this integration. */
  integrationId?: number | undefined;
  /** Only tenants with a system that this user's id is connected to. */
  userName?: string | undefined;
}

/** Options of a tenant's sync. */
export interface TenantSyncRequest {
  mode: SyncMode;
  /** Passed to the integration, which defines its fields. */
  body?: JsonObject | null | undefined;
}

export function createTenants(call: Call): Tenants {
  function listPage({ integrationId, userName, ...page }: ListTenantsQuery = {}) {
    const query = { integration_id: integrationId, user_name: userName, ...pageQuery(page) };
    return call({ method: "GET", path: "/v2/tenants", query, isList: true }, wireList(tenantSchema));
  }

  const pages = createPages(listPage);
  const list = (query: ListTenantsQuery = {}) => pages.each(query);

  return {
    listPage,
    list,
    named: (name, query) => filterAll(list(query), (tenant) => tenant.name === name && !tenant.archived),
    create: (body) => call({ method: "POST", path: "/v2/tenants", body }, tenantSchema),
    update: async (tenantId, patch) => {
      const errorFrom = operationMissing("change or rename an existing tenant, to pause it or to resume it");
      const body = await call.undocumented({
        method: "PATCH",
        path: path`/v2/tenants/${tenantId}`,
        body: patch,
        errorFrom,
      });
      const tenant = tenantSchema.safeParse(body).data;
      return tenant?.id === tenantId ? tenant : undefined;
    },
    archive: async (tenantId) => {
      await call.undocumented({ method: "DELETE", path: path`/v2/tenants/${tenantId}` });
    },
    getRelease: async (tenantId) => {
      const errorFrom = operationMissing(
        "read which release a tenant runs, where the list of tenants does not show it",
      );
      const body = await call.undocumented({ method: "GET", path: path`/v2/tenants/${tenantId}/release`, errorFrom });
      return releaseSchema.safeParse(body).data;
    },
    sync: async (tenantId, { mode, body }) =>
      call({ method: "POST", path: path`/v2/tenants/${tenantId}/sync`, query: { mode }, body }, triggerSchema),
  };
}
