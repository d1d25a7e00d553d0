import { shortList } from "../../json/short-list.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { howToReplace } from "../tenant/take-over.ts";
import { describeFleet, tenantOf } from "./entry.ts";
import type { TenantFleetInputs } from "./schema.ts";

/**
 * Throws if the engine creates a fleet's replacement before it deletes the fleet, in the same integration. The create must
 * fail as a whole: if it failed in part, the engine would store the new fleet, and the next `up` would delete the old one.
 */
export async function refuseReplacement(context: OperationContext, inputs: TenantFleetInputs): Promise<void> {
  const { ownership } = context;
  const { tenants } = await integrationScope(context, inputs.integration);
  const found: { key: string; id: number; isOwn: boolean; isFirst: boolean }[] = [];
  for (const [key, entry] of Object.entries(inputs.tenants)) {
    const tenant = tenantOf(inputs, key, entry);
    const owner = ownerOf("TenantFleet", tenant);
    const isFirst = ownership.isReplacedBeforeDelete(owner);
    const named = await tenants.named(tenant.name);
    const ids = typeof tenant.adopt === "number" ? [tenant.adopt] : named.map(({ id }) => id);
    found.push(...ids.map((id) => ({ key, id, isOwn: ownership.isReplaced(owner, id), isFirst })));
  }
  const own = found.filter(({ isOwn }) => isOwn);
  // a deletion releases the owners, except one whose tenant could not be created before
  const live = own.length > 0 ? own : found.every(({ isFirst }) => isFirst) ? found : [];
  if (live.length === 0) return;
  const shown = shortList(
    live.map(({ key, id }) => `${key} (${id})`),
    { maximum: 5 },
  );
  throw new Error(
    `${describeFleet(inputs)} cannot be replaced: its tenants ${shown} would still be live when the new ones ` +
      `are created. Nothing was changed. ${howToReplace}`,
  );
}
