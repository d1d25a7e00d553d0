import * as z from "zod";
import type { JsonObject } from "../json/json-value.ts";
import type { Call } from "./call.ts";
import { path } from "./request.ts";
import { freeFormObject, recordId, wireObject, withDefault } from "./wire-schema.ts";

/** `/v2/tenants/{tenant_id}/metadata` (specification, "Tenants"). */
export interface Metadata {
  /** Rejects with `NotFoundError` where the tenant is unknown; on some platforms also where it has no metadata or is archived. */
  get(tenantId: number): Promise<TenantMetadata>;
  /** Sends `data` as a PATCH. The specification does not say whether it replaces the stored metadata or is merged into it. */
  update(tenantId: number, data: JsonObject): Promise<TenantMetadata>;
}

/** Free-form metadata of a tenant (specification, "TenantMetadata"). */
export type TenantMetadata = z.infer<typeof metadataSchema>;

export const metadataSchema = wireObject({
  tenant_id: recordId,
  data: withDefault(freeFormObject, () => ({})),
  created_date: z.string().nullish(),
  modified_date: z.string().nullish(),
});

export function createMetadata(call: Call): Metadata {
  return {
    get: async (tenantId) => call({ method: "GET", path: path`/v2/tenants/${tenantId}/metadata` }, metadataSchema),
    update: async (tenantId, data) =>
      call({ method: "PATCH", path: path`/v2/tenants/${tenantId}/metadata`, body: data }, metadataSchema),
  };
}
