import { NotFoundError } from "../api/index.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { TenantDirectory } from "../snapshot/index.ts";
import type { OperationContext } from "./operation-context.ts";

/**
 * The metadata of a tenant: `{}` if a live tenant has none, `undefined` if the tenant does not exist. A 404 may mean either
 * (specification, Errors).
 */
export async function readMetadata(
  { client }: OperationContext,
  tenants: TenantDirectory,
  tenantId: number,
): Promise<JsonObject | undefined> {
  try {
    return (await client.metadata.get(tenantId)).data;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return (await tenants.fetchFresh(tenantId)) === undefined ? undefined : {};
  }
}
