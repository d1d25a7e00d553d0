import { hasUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { describeEnd } from "../../settings/override.ts";
import { describeFleet } from "./entry.ts";
import type { Member } from "./members.ts";
import { overridesInForce, overrideTime } from "./overridden.ts";

/** Tells the user how many tenants of a fleet each override pauses, in previews too, as long as it is in force. */
export async function noteOverrides(context: OperationContext, fleet: { name: string }): Promise<void> {
  const overrides = [...overridesInForce(fleet, await overrideTime(context, fleet)).values()];
  const same = Map.groupBy(overrides, (override) => `${override.reason}\n${override.until}`);
  for (const [override, ...others] of same.values()) {
    if (override === undefined) continue;
    const count = describeCount(others.length + 1);
    context.note(`${describeFleet(fleet)}: override ${override.reason} pauses ${count}${describeEnd(override)}`);
  }
}

/**
 * Tells the user what becomes of the tenants whose overrides have ended or are not declared any more.
 *
 * @param members the tenants to restore.
 */
export function noteEnds(
  { note }: Pick<OperationContext, "note">,
  fleet: { name: string },
  members: readonly Member<object>[],
): void {
  const known = members.filter(({ declared }) => !hasUnknown(declared?.inputs));
  const byOverride = Map.groupBy(known, ({ stored }) => stored?.state.override?.reason);
  for (const [reason, ended] of byOverride) {
    const [paused, resumed] = [ended.filter(staysPaused).length, ended.length - ended.filter(staysPaused).length];
    const effects = [
      ...(resumed > 0 ? [`resumes ${describeCount(resumed)}`] : []),
      ...(paused > 0 ? [`leaves ${describeCount(paused)} paused`] : []),
    ];
    const which = reason === undefined ? "their overrides" : `override ${reason}`;
    note(`${describeFleet(fleet)}: the end of ${which} ${effects.join(" and ")}`);
  }
}

function staysPaused({ stored, declared }: Member<object>): boolean {
  const { paused = stored?.state.overridden?.paused }: { paused?: unknown } = declared?.inputs ?? {};
  return paused === true;
}

function describeCount(tenants: number): string {
  return tenants === 1 ? "1 tenant" : `${tenants} tenants`;
}
