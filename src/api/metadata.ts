import { z } from "zod";
import type { Call } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { path } from "./path.ts";
import { freeFormObject, recordId, wireObject, withDefault } from "./wire-schema.ts";

/** `/v2/tenants/{tenant_id}/metadata` (specification, "Tenants"). */
export interface Metadata {
  get(tenantId: number): Promise<TenantMetadata>;
  /** Whether `data` is merged with what is there or replaces it is not documented. */
  update(tenantId: number, data: JsonObject): Promise<TenantMetadata>;
}

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
