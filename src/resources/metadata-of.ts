import { type JsonObject, NotFoundError } from "../api/index.ts";
import type { TenantDirectory } from "../snapshot/index.ts";
import type { Platform } from "./platform.ts";

/**
 * The metadata of a tenant; `{}` where the tenant is there and has none, `undefined` where the tenant is gone: a 404 may
 * mean either (specification, Errors).
 */
export async function readMetadata(
  { client }: Platform,
  tenants: TenantDirectory,
  tenantId: number,
): Promise<JsonObject | undefined> {
  try {
    return (await client.metadata.get(tenantId)).data;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return (await tenants.observe(tenantId)) === undefined ? undefined : {};
  }
}
