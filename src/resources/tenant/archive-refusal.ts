import { ApiError, type Tenant } from "../../api/index.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { connectionOf } from "../../operation/tenant-connection.ts";
import { UnknownNameError } from "../../snapshot/index.ts";
import type { TenantState } from "./schema.ts";

/** How to archive a connected tenant anyway. */
export const forceHint = "To archive it anyway, set forceArchive: true, run up, and then remove it";

/**
 * Why the tenant must not be archived, as a clause such as `its connector "crm" has the status "connected"`. `undefined` if
 * it may be archived, because it is not connected or the state has `forceArchive: true`.
 */
export function archiveRefusal(
  tenant: Tenant,
  integration: IntegrationScope,
  { forceArchive }: Pick<TenantState, "forceArchive">,
): string | undefined {
  const { isConnected, reason } = connectionOf(tenant, integration);
  return isConnected && forceArchive !== true ? reason : undefined;
}

/**
 * The {@link archiveRefusal} that an `up` is going to meet, for a warning in a preview. Sends no request per tenant. If the
 * tenant cannot be read, it returns `undefined`: an `up` with `retainOnDelete` may not need it.
 */
export async function expectedRefusal(
  context: OperationContext,
  id: number,
  state: Pick<TenantState, "forceArchive" | "integrationId">,
): Promise<string | undefined> {
  try {
    const integration = await integrationScope(context, state.integrationId);
    const tenant = (await integration.tenants.all()).get(id);
    return tenant && archiveRefusal(tenant, integration, state);
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnknownNameError) return undefined;
    throw error;
  }
}
