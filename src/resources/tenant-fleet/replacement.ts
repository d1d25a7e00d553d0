import { valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { howToReplace } from "../tenant/take-over.ts";
import { describeFleet, tenantOf, withNewKeys } from "./entry.ts";
import type { TenantFleetInputs, TenantFleetState } from "./schema.ts";

/**
 * Registers during the diff of a fleet that is replaced in another integration which tenants the declared owners have. An
 * `up` that died after the deletion may have created some tenants there. The next one neither reads nor deletes the fleet, so
 * only this shows that they are not the tenants that the deletion archives.
 *
 * @param tenants the declared entries, of which a preview may not know some.
 */
export function holdReplaced(
  { ownership, renamedOwners }: OperationContext,
  stored: TenantFleetState,
  inputs: object,
  tenants: object,
): void {
  const [name, logicalName = name] = ["name", "logicalName"].map((key) => valueAt(inputs, [key]));
  const fleet = typeof logicalName === "string" ? { ...stored, logicalName } : stored;
  const ownerIn = (of: TenantFleetState, key: string) => ownerOf("TenantFleet", tenantOf(of, key, {}));
  const inState = new Set(Object.keys(stored.tenants).map((key) => ownerIn(stored, key)));
  const before = withNewKeys(stored.tenants, tenants);
  for (const [key, { tenantId }] of Object.entries(before)) {
    const owner = ownerIn(fleet, key);
    ownership.hold(owner, tenantId);
    ownership.noteDiff(owner, { id: tenantId, isReplaced: true });
    // the deletion releases the owner in the state, whose names an alias may have changed
    if (!inState.has(owner)) {
      ownership.release(owner, tenantId);
      renamedOwners.set(tenantId, owner);
    }
  }
  // an earlier `up` may have failed to create such a tenant: then its inputs are stored, but it has no tenant
  for (const key of Object.keys(tenants)) {
    if (!Object.hasOwn(before, key)) ownership.startAnew(ownerIn(fleet, key));
  }
}

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
