import type { OperationContext } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { expectedRefusal } from "../tenant/archive-refusal.ts";
import { describeFleet, entryAt, tenantStateOf } from "./entry.ts";
import type { TenantFleetState } from "./schema.ts";

const shownMaximum = 20;

/**
 * Warns about the tenants that an `up` will refuse to archive, because a customer has connected them. Does not warn about
 * a tenant that another resource takes over, if that resource is already known.
 *
 * @param keys the keys of the tenants that the plan archives.
 */
export async function warnOfRefusals(
  context: OperationContext,
  state: TenantFleetState,
  keys: readonly string[],
): Promise<void> {
  const refused: string[] = [];
  for (const key of keys) {
    const entry = entryAt(state.tenants, key);
    if (entry === undefined) continue;
    const tenant = tenantStateOf(state, key, entry);
    const refusal = await expectedRefusal(context, tenant.tenantId, tenant);
    if (refusal === undefined || isClaimed(context, tenant)) continue;
    refused.push(`${key} (${tenant.tenantId}): ${refusal}`);
  }
  if (refused.length === 0) return;
  const shown = refused.slice(0, shownMaximum).map((line) => `\n  ${line}`);
  const more = refused.length > shown.length ? `\n  and ${refused.length - shown.length} more` : "";
  context.warn(
    `${describeFleet(state)}: up will refuse to archive the tenants below, because they are connected or may be, unless ` +
      "another resource takes them over. To archive one anyway, set forceArchive: true, run up, and then remove it:" +
      `${shown.join("")}${more}`,
  );
}

function isClaimed({ ownership }: OperationContext, tenant: ReturnType<typeof tenantStateOf>): boolean {
  const archived = { id: tenant.tenantId, integrationId: tenant.integrationId, name: tenant.name };
  const owner = ownerOf("TenantFleet", tenant);
  return ownership.nextOwnerOf(owner, archived) !== undefined;
}
