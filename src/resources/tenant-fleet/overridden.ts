import { valueAt } from "../../json/key-path.ts";
import { isUnknown } from "../../json/unknown.ts";
import { type PlatformTime, platformTime, type TimeContext } from "../../operation/platform-time.ts";
import { type DeclaredOverride, isInForceAt, overrideOf } from "../../settings/override.ts";
import { entryAt } from "./entry.ts";
import type { TenantFleetState } from "./schema.ts";

type Stored = Pick<TenantFleetState, "tenants">;

/**
 * The overrides that are in force now, by the keys of the tenants that they pause. A tenant's own override wins over the
 * fleet's. In a preview, parts of the inputs may be unknown; an override that is unknown counts as none. The platform is asked
 * for its time only if one of them ends by itself.
 *
 * @param fleet the inputs of a fleet.
 * @param stored its state, after `withNewKeys`. Default: it has none.
 */
export async function overridesInForce(
  context: TimeContext,
  fleet: object,
  stored: Stored = { tenants: {} },
): Promise<Map<string, DeclaredOverride>> {
  const declared = declaredOverrides(fleet);
  const areEnding = [...declared.values()].some(({ until }) => until !== undefined);
  return areEnding ? inForceAt(await platformTime(context), declared, stored) : declared;
}

/** The keys of the tenants that are overridden now: see {@link overridesInForce}. */
export async function overriddenKeys(...fleet: Parameters<typeof overridesInForce>): Promise<Set<string>> {
  return new Set((await overridesInForce(...fleet)).keys());
}

function inForceAt(
  time: PlatformTime,
  declared: ReadonlyMap<string, DeclaredOverride>,
  { tenants }: Stored,
): Map<string, DeclaredOverride> {
  const found = [...declared].filter(([key, one]) => isInForceAt(time, one, entryAt(tenants, key)?.overridden));
  return new Map(found);
}

function declaredOverrides(fleet: object): Map<string, DeclaredOverride> {
  const tenants = valueAt(fleet, ["tenants"]);
  if (typeof tenants !== "object" || tenants === null) return new Map();
  const ofFleet = overrideOf(fleet);
  const found = Object.entries(tenants).flatMap(([key, entry]): [string, DeclaredOverride][] => {
    const isOwn = !isUnknown(entry) && valueAt(entry, ["override"]) !== undefined;
    const override = isOwn ? overrideOf(entry) : ofFleet;
    return override === undefined ? [] : [[key, override]];
  });
  return new Map(found);
}
