import type { JsonObject } from "../json/json-value.ts";
import { readMetadata } from "../operation/read-metadata.ts";
import { lookupFunction } from "./lookup-function.ts";
import { secretKeys } from "./secret-keys.ts";
import { tenantIdArgsSchema } from "./tenant-id-args.ts";
import { tenantOfId } from "./tenants.ts";

/** The metadata of a tenant (specification, TenantMetadata). */
export interface GetTenantMetadataResult {
  /** Id of the tenant. */
  tenantId: number;
  /** The whole metadata; `{}` if the tenant has none. */
  data: JsonObject;
}

/** The lookup `getTenantMetadata`. */
export const tenantMetadataLookup = lookupFunction(
  "getTenantMetadata",
  tenantIdArgsSchema,
  async (context, { tenantId }): Promise<GetTenantMetadataResult> => {
    await tenantOfId(context, tenantId);
    return { tenantId, data: (await readMetadata(context, context.snapshot.tenantsOf(), tenantId)) ?? {} };
  },
  async (context, { tenantId, data }) => {
    const { integration } = await tenantOfId(context, tenantId);
    const tenant = { tenantId, integrationId: integration.id };
    const keys = await secretKeys(context, tenant, "metadata", { metadata: data });
    return keys.map((key) => ["data", key]);
  },
);
