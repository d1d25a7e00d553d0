import { valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import type { TenantFleetInputs } from "./schema.ts";

/** What a fleet declares of its rollout. */
export type DeclaredRollout = NonNullable<TenantFleetInputs["rollout"]>;

/** How the tenants of a fleet take part in its rollout, by key. */
export interface Membership {
  /** All declared tenants. */
  keys: readonly string[];
  /** The tenants that the rollout moves. */
  members: readonly string[];
  /** The tenants that declare a release of their own, which the fleet applies at once. */
  pinned: readonly string[];
  /** The tenants whose release nobody manages. */
  excluded: readonly string[];
}

/** Whether a fleet leaves the releases of its tenants to a rollout. In a preview, the rollout may be unknown. */
export function hasRollout(fleet: object): boolean {
  return valueAt(fleet, ["rollout"]) !== undefined;
}

/** Whether an entry declares a release, which pins its tenant. An entry that is not known yet is expected not to. */
export function isPinned(entry: unknown): boolean {
  return !isUnknown(entry) && valueAt(entry, ["release"]) !== undefined;
}

/** How the tenants take part in a rollout. */
export function membershipOf(
  tenants: Readonly<Record<string, unknown>>,
  { exclude = [] }: Pick<DeclaredRollout, "exclude">,
): Membership {
  const keys = Object.keys(tenants);
  const isExcluded = new Set(exclude);
  const pinned = keys.filter((key) => isPinned(tenants[key]));
  const own = new Set(pinned);
  const others = keys.filter((key) => !own.has(key));
  return {
    keys,
    members: others.filter((key) => !isExcluded.has(key)),
    pinned,
    excluded: others.filter((key) => isExcluded.has(key)),
  };
}

/** The rollout of a fleet; `undefined` if there is none or a preview does not know all of it. */
export function knownRollout(fleet: { rollout?: DeclaredRollout | undefined }): DeclaredRollout | undefined;
export function knownRollout(fleet: object): DeclaredRollout | undefined;
export function knownRollout({ rollout }: { rollout?: DeclaredRollout | undefined }): DeclaredRollout | undefined {
  return hasUnknown(rollout) ? undefined : rollout;
}
