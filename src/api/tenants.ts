import type { Call } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { type ListQuery, pageQuery } from "./list-query.ts";
import { createPages, matching } from "./pages.ts";
import { path } from "./path.ts";
import { type Release, releaseSchema } from "./releases.ts";
import { type CreateTenant, type Tenant, type TenantPatch, tenantSchema } from "./tenant-schema.ts";
import { type SyncMode, type Trigger, triggerSchema } from "./triggers.ts";
import { wireList } from "./wire-schema.ts";

/** `/v2/tenants` (specification, "Tenants"). The API cannot get a single tenant by its id. */
export interface Tenants {
  /** One page: 100 records unless `limit` says otherwise. */
  listPage(query?: ListTenantsQuery): Promise<Tenant[]>;
  /** All of them, from `skip` on; `limit` is the size of a page, default 500. */
  list(query?: ListTenantsQuery): AsyncIterable<Tenant>;
  /** The live ones of a name. The API has no such request: all of the query are listed. Names need not be unique. */
  named(name: string, query?: ListTenantsQuery): Promise<Tenant[]>;
  /** Makes a tenant, unconnected and paused. Not repeated when the answer is lost: then `mayHaveBeenApplied` is true. */
  create(body: CreateTenant): Promise<Tenant>;
  /** Resolves to undefined when the answer, which is not documented, is not that tenant: read it to see what was taken. */
  update(tenantId: number, patch: TenantPatch): Promise<Tenant | undefined>;
  /** The API has no way back. Rejects with `NotFoundError` when there is none, or none that is not archived. */
  archive(tenantId: number): Promise<void>;
  /** Resolves to undefined when the answer, which is not documented, is not a release. */
  getRelease(tenantId: number): Promise<Release | undefined>;
  /** Requests a sync. Accepted does not mean run: see `runs.getTriggerStatus`. */
  sync(tenantId: number, request: TenantSyncRequest): Promise<Trigger>;
}

/** Which tenants, in which order, which page. */
export interface ListTenantsQuery extends ListQuery {
  integrationId?: number | undefined;
  /** A user's id that is connected to one of the tenant's systems. */
  userName?: string | undefined;
}

export interface TenantSyncRequest {
  mode: SyncMode;
  /** Its fields are determined by the integration. */
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
    named: (name, query) => matching(list(query), (tenant) => tenant.name === name && !tenant.archived),
    create: (body) => call({ method: "POST", path: "/v2/tenants", body }, tenantSchema),
    update: async (tenantId, patch) => {
      const answer = await call.loosely({ method: "PATCH", path: path`/v2/tenants/${tenantId}`, body: patch });
      const tenant = tenantSchema.safeParse(answer).data;
      return tenant?.id === tenantId ? tenant : undefined;
    },
    archive: async (tenantId) => {
      await call.loosely({ method: "DELETE", path: path`/v2/tenants/${tenantId}` });
    },
    getRelease: async (tenantId) => {
      const answer = await call.loosely({ method: "GET", path: path`/v2/tenants/${tenantId}/release` });
      return releaseSchema.safeParse(answer).data;
    },
    sync: async (tenantId, { mode, body }) =>
      call({ method: "POST", path: path`/v2/tenants/${tenantId}/sync`, query: { mode }, body }, triggerSchema),
  };
}
