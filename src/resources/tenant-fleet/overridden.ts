import { valueAt } from "../../json/key-path.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import { type DeclaredOverride, isInForce, overrideOf } from "../../settings/override.ts";

/**
 * The overrides that are in force now, by the keys of the tenants that they pause. A tenant's own override wins over the
 * fleet's. In a preview, parts of the inputs may be unknown; an override that is unknown counts as none.
 *
 * @param fleet the inputs of a fleet.
 * @param now the platform's time: see {@link overrideTime}.
 */
export function overridesInForce(fleet: object, now: Date): Map<string, DeclaredOverride> {
  const found = [...declaredOverrides(fleet)].filter(([, override]) => isInForce(override, now));
  return new Map(found);
}

/** The keys of the tenants that are overridden now: see {@link overridesInForce}. */
export function overriddenKeys(fleet: object, now: Date): Set<string> {
  return new Set(overridesInForce(fleet, now).keys());
}

/** The platform's time, by which a fleet's overrides end. The platform is asked only if one of them ends by itself. */
export async function overrideTime(
  context: Pick<OperationContext, "client" | "snapshot" | "warn">,
  fleet: object,
): Promise<Date> {
  const areEnding = [...declaredOverrides(fleet).values()].some(({ until }) => until !== undefined);
  return areEnding ? platformTime(context) : new Date();
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
