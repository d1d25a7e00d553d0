import { valueAt } from "../../json/key-path.ts";
import { hasUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime, type TimeContext } from "../../operation/platform-time.ts";
import {
  type DeclaredOverride,
  describeEnd,
  isInForce,
  isInForceAt,
  type Overridden,
  overrideOf,
} from "../../settings/override.ts";
import type { TenantInputs, TenantState } from "./schema.ts";

type Paused = Pick<TenantInputs, "paused" | "override">;

/** What an override does to a tenant now, and what is to be stored of it. */
export interface OverrideEffect {
  isInForce: boolean;
  /** Whether the tenant is to be paused; `undefined` if nobody manages that. */
  paused: boolean | undefined;
  /** What it has taken from the tenant, in this operation or before. */
  overridden: Overridden | undefined;
}

/**
 * Whether a declared override is in force, by the platform's clock. The platform is asked only if the override ends by itself.
 *
 * @param overridden what the override has taken from the tenant so far. Default: nothing.
 */
export async function isOverridden(
  context: TimeContext,
  override: DeclaredOverride | undefined,
  overridden?: Overridden,
): Promise<boolean> {
  if (override?.until === undefined) return override !== undefined;
  return isInForceAt(await platformTime(context), override, overridden);
}

/**
 * What the override of a tenant does: while it is in force it pauses the tenant, whatever the tenant declares. Afterwards the
 * tenant gets what it declares, or else runs again if it did before. One that was paused before is left as it is, and is not
 * paused again if somebody has resumed it meanwhile, as `integration-platform resume` does.
 *
 * @param overridden what the override has taken from the tenant so far.
 */
export async function overrideNow(
  context: TimeContext,
  { paused, override }: Paused,
  overridden: Overridden | undefined,
): Promise<OverrideEffect> {
  if (await isOverridden(context, override, overridden)) return { isInForce: true, paused: true, overridden };
  const mustRun = overridden?.paused === false;
  return { isInForce: false, paused: paused ?? (mustRun ? false : undefined), overridden };
}

/** The effect with what the override takes from the tenant now, if it begins. */
export function begunOn({ paused }: { paused: boolean }, effect: OverrideEffect): OverrideEffect {
  return effect.isInForce ? { ...effect, overridden: effect.overridden ?? { paused } } : effect;
}

/** The work that an override causes for a tenant, besides the changes of what it declares. */
export type OverrideWork = "pause" | "restore";

/**
 * The work that is left to do about the override of a tenant.
 *
 * @param now whether the declared override is in force.
 */
export function overrideWork(
  { override, overridden }: Pick<TenantState, "override" | "overridden">,
  now: boolean,
): OverrideWork | undefined {
  if (!now) return overridden === undefined ? undefined : "restore";
  return overridden === undefined || override?.paused === false ? "pause" : undefined;
}

/** The inputs or the state of a tenant without its override, so that a comparison shows the other changes. */
export function withoutOverride(tenant: TenantState): TenantState;
export function withoutOverride(tenant: object): object;
export function withoutOverride({ override: _, overridden: __, ...rest }: Partial<TenantState>): object {
  return rest;
}

/** Warns if a declared override has ended. The warning is the same for all tenants with this override. */
export async function warnOfEnded(context: TimeContext, inputs: object): Promise<void> {
  if (hasUnknown(inputs)) return;
  const override = overrideOf(inputs);
  if (override?.until === undefined) return;
  const { at, isBelieved } = await platformTime(context);
  if (!isBelieved || isInForce(override, at)) return;
  context.warn(`override ${override.reason} has ended at ${override.until}: it pauses nothing any more. Remove it`);
}

/** Tells the user that an override pauses a tenant, in previews too, as long as it is in force. */
export async function noteOverride(
  context: TimeContext & Pick<OperationContext, "note">,
  inputs: object,
): Promise<void> {
  const override = hasUnknown(inputs) ? undefined : overrideOf(inputs);
  if (override === undefined || !(await isOverridden(context, override))) return;
  context.note(`tenant "${valueAt(inputs, ["name"])}": override ${override.reason} pauses it${describeEnd(override)}`);
}

/** Tells the user what becomes of a tenant whose override has ended or is not declared any more. */
export async function noteEndedOverride(
  context: TimeContext & Pick<OperationContext, "note">,
  state: TenantState,
  inputs: object,
): Promise<void> {
  if (state.overridden === undefined || hasUnknown(inputs)) return;
  if (await isOverridden(context, overrideOf(inputs), state.overridden)) return;
  const isPaused = valueAt(inputs, ["paused"]) ?? state.overridden.paused;
  if (isPaused === true && state.override?.paused === false) return; // somebody has resumed it
  const which = state.override === undefined ? "its override" : `override ${state.override.reason}`;
  context.note(`tenant "${state.name}": the end of ${which} ${isPaused === true ? "leaves it paused" : "resumes it"}`);
}

/** Tells the user that a tenant which declares no `paused` was paused already when its override began. */
export function notePausedBeforeOverride(
  { note }: Pick<OperationContext, "note">,
  { state, inputs, effect }: { state: TenantState; inputs: TenantInputs; effect: OverrideEffect },
): void {
  const begins = effect.isInForce && state.overridden === undefined;
  if (!begins || inputs.paused !== undefined || effect.overridden?.paused !== true) return;
  note(
    `tenant "${inputs.name}": it declares no paused and was paused already when the override began, so its end leaves it paused`,
  );
}

/** The override as a read shows it: `paused` is false if the tenant runs although the override is in force. */
export async function observedOverride(
  context: TimeContext,
  { override, overridden }: Pick<TenantState, "override" | "overridden">,
  { paused }: { paused: boolean },
): Promise<DeclaredOverride | undefined> {
  if (override === undefined) return undefined;
  return { ...override, paused: paused || !(await isOverridden(context, override, overridden)) };
}
