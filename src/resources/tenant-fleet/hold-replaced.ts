import { valueAt } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { tenantOf, withNewKeys } from "./entry.ts";
import type { TenantFleetState } from "./schema.ts";

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
