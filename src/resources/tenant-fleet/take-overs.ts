import type { OperationContext, TakeOverNote } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { listOf } from "./describe-many.ts";
import { describeFleet, tenantOf } from "./entry.ts";

/** The tenants that the fleets of an operation take over. */
export interface TakeOvers {
  add(takeOver: TakeOverNote): void;
  /** The ids of those tenants of these keys of the fleet that are taken over, as far as this is known. */
  ids(fleet: object, keys: readonly string[]): ReadonlyMap<string, number>;
  /** The keys of those that differ from what would be created. */
  overwritten(fleet: object, keys: readonly string[]): string[];
  /** Tells the user which tenants are taken over, all in one note, and each only once. */
  note(fleet: { name: string }, keys: readonly string[]): void;
}

export function createTakeOvers({ note }: Pick<OperationContext, "note">): TakeOvers {
  const known = new Map<string, TakeOverNote & { isNoted: boolean }>();
  const at = (fleet: object, keys: readonly string[]) =>
    keys.flatMap((key) => {
      const { logicalName }: { logicalName?: string } = tenantOf(fleet, key, {});
      const takeOver = known.get(ownerOf("TenantFleet", { name: String(logicalName) }));
      return takeOver === undefined ? [] : [{ key, takeOver }];
    });
  return {
    add: (takeOver) => {
      if (!known.has(takeOver.owner)) known.set(takeOver.owner, { ...takeOver, isNoted: false });
    },
    ids: (fleet, keys) => new Map(at(fleet, keys).map(({ key, takeOver }) => [key, takeOver.tenant.id])),
    overwritten: (fleet, keys) => at(fleet, keys).flatMap(({ key, takeOver }) => (takeOver.isOverwritten ? [key] : [])),
    note: (fleet, keys) => {
      const fresh = at(fleet, keys).filter(({ takeOver }) => !takeOver.isNoted);
      if (fresh.length === 0) return;
      for (const { takeOver } of fresh) takeOver.isNoted = true;
      const takesOver = fresh.map(({ key, takeOver }) => `${key} takes over ${takeOver.tenant.id}`);
      note(`${describeFleet(fleet)}: ${listOf(takesOver)}`);
    },
  };
}
