import type { OperationContext } from "../../operation/operation-context.ts";
import type { Owner } from "../../operation/ownership.ts";
import type { SomeSettings } from "../../settings/table.ts";
import { IncompleteError } from "../lifecycle.ts";
import { type Applied, applySettings } from "./apply.ts";
import { settingsToStore } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import { latestOf } from "./latest-moved.ts";
import { inputsOf, stateOf } from "./observed-state.ts";
import { describeTenant, type KeptHistory, keptProperties, type ObservedTenant } from "./observed-tenant.ts";
import type { OverrideEffect } from "./override.ts";
import type { TenantInputs, TenantState } from "./schema.ts";
import { isWaitingUntil, noteWaiting } from "./waiting.ts";
import { withWaitingChoices } from "./waiting-choices.ts";

/** The work of a create or an update on a live tenant. */
export interface Work {
  owner: Owner;
  inputs: TenantInputs;
  /** What the override of the inputs does, with what it has taken from the tenant. */
  effect: OverrideEffect;
  /** The tenant after it has been paused, if it is to be: see `pauseFirst`. */
  start: ObservedTenant;
  /** Why it could not be paused. If so, nothing else is written. */
  notPaused?: unknown;
}

/** Applies the settings and returns the state. Throws {@link IncompleteError} with the state if not all were applied. */
export async function finish(context: OperationContext, work: Work, desired: Desired): Promise<TenantState> {
  const { start, notPaused } = work;
  const { desired: own, applied } =
    notPaused === undefined
      ? await applyAlone(context, work.owner, start, desired, work.inputs)
      : { desired, applied: { tenant: start, error: notPaused } };
  const { tenant, error } = applied;
  const isDone = error === undefined;
  const { settings: stored, kept } = await settingsToStore(own, applied).catch((unread: unknown) => {
    if (isDone) throw unread;
    return lastKnownOf(tenant); // the tenant exists: the state must keep it
  });
  const configs = withWaitingChoices(stored.configs, own.waiting, work.inputs.configs);
  const latest = isDone ? await latestOf(tenant.integration, tenant.tenant) : undefined;
  const state = stateAfter(work, tenant, { settings: { ...stored, configs }, isDone, kept: { ...kept, latest } });
  if (isDone) {
    if (work.owner.startsWith("Tenant ")) noteWaiting(context, describeTenant(tenant), [state]);
    return state;
  }
  throw new IncompleteError(String(tenant.id), state, error);
}

/** What the last reads and writes have shown. */
function lastKnownOf({ history }: ObservedTenant): Awaited<ReturnType<typeof settingsToStore>> {
  const { lastKnown, unreadablePaths, shownAs } = history;
  const hidden = unreadablePaths.length === 0 ? undefined : unreadablePaths.map((path) => [...path]);
  return { settings: lastKnown, kept: { unreadablePaths: hidden, shownAs } };
}

/**
 * The state after work. An override stays in it until everything is as desired, as only that proves that the tenant has been
 * restored.
 */
function stateAfter(
  { inputs, effect }: Work,
  tenant: ObservedTenant,
  { settings, isDone, kept }: { settings: SomeSettings; isDone: boolean; kept: KeptHistory },
): TenantState {
  const isOverridden = effect.isInForce || !isDone || isWaitingUntil(kept, "connected");
  const overridden = isOverridden ? effect.overridden : undefined;
  const { paused } = tenant.tenant;
  const override = effect.isInForce && inputs.override ? { ...inputs.override, paused } : inputs.override;
  // an override may manage whether the tenant is paused although the tenant does not declare it
  const isDeclared = overridden !== undefined || inputs.paused === undefined;
  const observed = { ...settings, paused: isDeclared ? inputs.paused : settings.paused };
  return stateOf(inputsOf({ ...inputs, override }, observed), tenant, { ...kept, overridden });
}

/**
 * The error of an update that failed before anything but a pause was written: one with the state if there is something new to
 * store, so that the next `up` knows that the tenant has been paused, and what its override has taken from it.
 *
 * @param isTried whether the pause was requested, perhaps in vain.
 */
export function failureAfterPause(
  error: unknown,
  { inputs, effect, start, isTried }: Omit<Work, "owner"> & { isTried: boolean },
  before: TenantState,
): unknown {
  const { overridden, isInForce } = effect;
  const isAsBefore = !isTried && overridden === before.overridden;
  if (isAsBefore || error instanceof IncompleteError) return error;
  const { paused } = start.tenant;
  const override = isInForce && inputs.override ? { ...inputs.override, paused } : before.override;
  const observed = overridden !== undefined || before.paused === undefined ? before : { ...before, paused };
  const state = stateOf(inputsOf({ ...before, override }, observed), start, { ...keptProperties(before), overridden });
  return new IncompleteError(String(start.id), state, error);
}

/**
 * Applies settings, without concurrent work on the tenant's metadata if metadata is or was declared. Removed keys that
 * another resource now declares are not removed.
 */
async function applyAlone(
  context: OperationContext,
  owner: Owner,
  start: ObservedTenant,
  desired: Desired,
  { metadata }: TenantInputs,
): Promise<{ desired: Desired; applied: Applied }> {
  const removed = desired.removed.metadata ?? [];
  if (metadata === undefined && removed.length === 0) {
    return { desired, applied: await applySettings(context, desired, start) };
  }
  const { metadataOwnership } = context;
  const { id } = start;
  if (metadata !== undefined) {
    const keys = Object.keys(metadata);
    metadataOwnership.hold(owner, id, keys);
    try {
      metadataOwnership.refuseSecondOwner(owner, id, keys);
    } catch (error) {
      return { desired, applied: { tenant: start, error } }; // the tenant exists already: the state must keep it
    }
  }
  return metadataOwnership.exclusively(id, async () => {
    const others = metadataOwnership.keysOfOthers(owner, id);
    const own = { ...desired, removed: { ...desired.removed, metadata: removed.filter((key) => !others.has(key)) } };
    const isRead = start.isRead && others.size === 0;
    return { desired: own, applied: await applySettings(context, own, { ...start, isRead }) };
  });
}
