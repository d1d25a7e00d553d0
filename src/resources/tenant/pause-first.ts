import { ApiError } from "../../api/index.ts";
import { noSchema } from "../../json-schema/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { noSecrets } from "../../secrets/secret-table.ts";
import { applySettings } from "./apply.ts";
import type { ObservedTenant } from "./observed-tenant.ts";

/**
 * Pauses a tenant that is to be paused and is not, in a PATCH of its own, before anything else that could fail: somebody who
 * pauses tenants in an incident must not wait until their configs are valid.
 *
 * @returns the tenant, and the error if a request failed, with whether the platform may have paused the tenant nevertheless. If
 *   no read shows the pause yet, the rest of the work goes on and looks again.
 */
export async function pauseFirst(
  context: OperationContext,
  tenant: ObservedTenant,
  paused: boolean | undefined,
): Promise<{ tenant: ObservedTenant; error?: unknown; isWritten?: boolean }> {
  if (paused !== true || tenant.tenant.paused) return { tenant };
  const settings = { paused };
  const schemas = { configs: noSchema, metadata: noSchema };
  const desired = { settings, resolved: settings, removed: {}, schemas, secrets: noSecrets, secretPaths: [] };
  const applied = await applySettings(context, desired, tenant);
  return applied.error instanceof ApiError ? applied : { tenant: applied.tenant };
}
