import { hasUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { describeEnd, type Overridden } from "../../settings/override.ts";
import { describeCount, listOf } from "./describe-many.ts";
import { describeFleet } from "./entry.ts";
import type { Member } from "./members.ts";
import { overridesInForce } from "./overridden.ts";
import type { FleetEntryState } from "./schema.ts";

/** Tells the user how many tenants of a fleet each override pauses, in previews too, as long as it is in force. */
export async function noteOverrides(context: OperationContext, fleet: { name: string }): Promise<void> {
  const overrides = [...(await overridesInForce(context, fleet)).values()];
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
export function noteEndedOverrides(
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

/**
 * Tells the user which tenants were paused already when their overrides began. If they declare no `paused`, the end leaves them
 * so: an `up` that was killed before it stored the state may have paused them, or somebody by hand.
 *
 * @param tenants the states after the work, by key.
 */
export function notePausedBeforeOverride(
  { note }: Pick<OperationContext, "note">,
  fleet: { name: string },
  members: Iterable<Member>,
  tenants: ReadonlyMap<string, FleetEntryState>,
): void {
  const found = [...members].filter(({ key, stored, declared }) => {
    const begins = stored !== undefined && stored.state.overridden === undefined;
    return begins && declared?.inputs.paused === undefined && tenants.get(key)?.overridden?.paused === true;
  });
  if (found.length === 0) return;
  note(
    `${describeFleet(fleet)}: ${describeCount(found.length)} declared no paused and were paused already when the override began, ` +
      `so its end leaves them paused: ${listOf(found.map(({ key }) => key))}`,
  );
}

/** A tenant that leaves a fleet and is not archived. */
export interface LeftTenant {
  key: string;
  id: number;
  overridden: Overridden | undefined;
}

/** Warns about tenants that an override has paused, and that nobody is going to resume, as they are no longer managed. */
export function warnOfLeftPaused(
  { warn }: Pick<OperationContext, "warn">,
  fleet: { name: string },
  left: readonly LeftTenant[],
): void {
  const found = left.filter(({ overridden }) => overridden?.paused === false);
  if (found.length === 0) return;
  warn(
    `${describeFleet(fleet)}: an override has paused tenants that are no longer managed, and they stay paused. Resume them by ` +
      `hand after the incident: ${listOf(found.map(({ key, id }) => `${key} (${id})`))}`,
  );
}

function staysPaused({ stored, declared }: Member<object>): boolean {
  const { paused = stored?.state.overridden?.paused }: { paused?: unknown } = declared?.inputs ?? {};
  return paused === true;
}
