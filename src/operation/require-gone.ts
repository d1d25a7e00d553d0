import type { Tenant } from "../api/index.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import type { IntegrationScope } from "./integration-scope.ts";
import type { OperationContext } from "./operation-context.ts";

/** The tenant of an integration that other lists lack, if it is live in the lists that show what was written before the operation. */
export async function settledTenant(
  context: OperationContext,
  id: number,
  integration: IntegrationScope,
): Promise<Tenant | undefined> {
  const { live } = await context.settledTenants();
  const tenant = live.get(id);
  return tenant !== undefined && isElsewhere(tenant, integration) ? undefined : tenant;
}

function isElsewhere({ integration_id: actual }: Tenant, { id }: IntegrationScope): boolean {
  return actual !== undefined && actual !== id;
}

/**
 * Throws unless a tenant that the list of live tenants lacks is archived, or is in another integration now. The platform
 * deletes no tenant (specification, States and transitions), so one that no list shows is probably of another account.
 * Records one that is archived in `ownership`: one in another integration can still be adopted by its id.
 *
 * @param integration its integration, or why that is not visible; `undefined` if it is not known.
 * @throws UnknownNameError if the tenant is live, and only its integration is not visible.
 */
export async function requireGone(
  context: OperationContext,
  id: number,
  integration: IntegrationScope | UnknownNameError | undefined,
): Promise<void> {
  const { ownership, areUnlistedGone } = context;
  if (areUnlistedGone || ownership.wasFoundGone(id)) return ownership.findGone(id);
  const isVisible = integration !== undefined && !(integration instanceof UnknownNameError);
  if (isVisible && isArchived(await integration.tenants.archived(id))) return ownership.findGone(id);
  const { live, archived } = await context.settledTenants();
  const listed = live.get(id) ?? archived.get(id);
  if (listed === undefined) throw unlisted(id, integration);
  if (!live.has(id) && isArchived(listed)) return ownership.findGone(id);
  if (integration instanceof UnknownNameError) throw integration;
  if (!isVisible || !isElsewhere(listed, integration))
    throw new Error(`one list shows tenant ${id}, and another one does not. Run the command again`);
}

/** Whether a tenant of the list of archived tenants is archived. Some platforms list live ones there too. */
export function isArchived(listed: Tenant | undefined): boolean {
  return listed !== undefined && listed.archived !== false;
}

function unlisted(id: number, integration: IntegrationScope | UnknownNameError | undefined): Error {
  const missing = integration instanceof UnknownNameError ? integration : undefined;
  const found = missing === undefined ? "no list shows tenant" : `${missing.message}, and no list shows its tenant`;
  return new Error(
    `${found} ${id}, neither as live nor as archived: the API key is probably of another account. ` +
      "Check it, and run the command again. If the platform has begun anew, as an emulator without --data does, " +
      "run the command once with INTEGRATION_PLATFORM_FORGET_UNLISTED=1: such tenants then leave the state",
    { cause: missing },
  );
}
