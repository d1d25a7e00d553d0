import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { defined } from "../../json/defined.ts";
import { valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { type Difference, IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { allAtOnce } from "./all-at-once.ts";
import { applySyncs } from "./apply-syncs.ts";
import { applyTenants, type FleetWork } from "./apply-tenants.ts";
import { warnOfRefusals } from "./archive-warnings.ts";
import { type CheckedFleet, checkFleet } from "./check.ts";
import { describeFleet, entryAt, entryStateOf, renamed, tenantOf, tenantStateOf, withOwnOverride } from "./entry.ts";
import { describeFailures } from "./failures.ts";
import { fleetLifecycles } from "./fleet-lifecycles.ts";
import { noteChanges } from "./grouped-changes.ts";
import { importTenantFleet } from "./import-tenant-fleet.ts";
import { enforceLimits, limitWarnings } from "./limits.ts";
import { withManagedReleases } from "./managed-releases.ts";
import { membersAt, membersOf, type PreviewedFleet } from "./members.ts";
import { inputsOf, settingsOf, withTenantIds } from "./observed-state.ts";
import { overriddenKeys, overrideTime } from "./overridden.ts";
import { noteEnds, noteOverrides, notePausedBefore, warnOfLeftPaused } from "./override-notes.ts";
import { describePlan, emptyPlan, type Plan, planOf } from "./plan.ts";
import { previewNewRollout, previewRollout } from "./preview-rollout.ts";
import { refuseReplacement } from "./refuse-replacement.ts";
import { rolloutStep } from "./rollout-step.ts";
import {
  type FleetEntryState,
  type TenantFleetInputs,
  type TenantFleetState,
  tenantFleetInputsSchema,
} from "./schema.ts";
import { createTakeOvers } from "./take-overs.ts";

/**
 * The lifecycle of a fleet. It uses the lifecycle of `Tenant` for each tenant and that of `SyncTrigger` for each sync. The
 * inputs are documented at `TenantFleetArgs`.
 */
export function tenantFleetLifecycle(context: OperationContext): Lifecycle<TenantFleetInputs, TenantFleetState> {
  const takeOvers = createTakeOvers(context);
  const one = fleetLifecycles({ ...context, noteTakeOver: takeOvers.add });

  return {
    check: (inputs, old) =>
      context.ownership.duringCheck(async () => {
        const { failures, rollout } = await checkFleet(context, one, inputs, old);
        if (failures.length === 0) await noteChecked(inputs, old === undefined ? { rollout } : undefined);
        return failures;
      }),

    diff: (_, stored, inputs) => context.ownership.duringCheck(() => diff(stored, inputs)),

    create: async (inputs) => {
      await refuseReplacement(context, inputs);
      const { id: integrationId } = await integrationScope(context, inputs.integration);
      const empty = { ...inputs, integrationId, tenants: {} };
      const id = `${integrationId}/${inputs.name}`;
      const members = membersOf(empty, inputs);
      const plan = await planOf(one, members, {
        stored: empty,
        declared: inputs,
        overridden: await overriddenIn(inputs),
      });
      const rollout = await rolloutStep(context, empty, inputs);
      return { id, state: await work(id, integrationId, { inputs, members, plan, rollout }) };
    },

    read: async (_, state) => {
      const found = new Map<string, FleetEntryState>();
      const { failed } = await allAtOnce(context, {
        fleet: state,
        what: "tenants read",
        items: Object.entries(state.tenants),
        work: async ([key, entry]) => {
          const read = await one.tenant.read(String(entry.tenantId), tenantStateOf(state, key, entry));
          if (read !== undefined) found.set(key, entryStateOf(key, withOwnOverride(state, entry), read.state));
        },
      });
      if (failed.length > 0) throw failed[0]?.error;
      const observed = { ...state, tenants: inOrderOf(Object.keys(state.tenants), found) };
      return { inputs: inputsOf(observed), state: withTenantIds(observed) };
    },

    update: async (id, stored, inputs) => {
      const before = { ...stored, tenants: renamed(stored.tenants, inputs.tenants) };
      const { state } = await withManagedReleases(context, before, inputs);
      const rollout = await rolloutStep(context, before, inputs);
      const members = membersOf(state, inputs);
      const plan = await planOf(one, members, {
        stored: state,
        declared: inputs,
        overridden: await overriddenIn(inputs),
      });
      enforceLimits(plan, context.areLimitsLifted ? undefined : inputs.limits, state);
      warnOfLeftPaused(context, inputs, membersAt(members, plan.retain));
      // the previous inputs may include a tenant that could not be created
      for (const key of plan.create) context.ownership.startAnew(ownerOf("TenantFleet", tenantOf(inputs, key, {})));
      // a removed tenant may move to another resource, which the program may declare later
      if (plan.archive.length > 0) await context.ownership.untilQuiet();
      return work(id, state.integrationId, { inputs, members, plan, rollout });
    },

    delete: async (_, state) => {
      const archived = archivedBy(state);
      const isArchived = new Set(archived);
      for (const [key, { tenantId }] of Object.entries(state.tenants)) {
        if (!isArchived.has(key)) context.ownership.release(ownerOf("TenantFleet", tenantOf(state, key, {})), tenantId);
      }
      noteWork(state, { ...emptyPlan(), archive: archived });
      const { failed } = await allAtOnce(context, {
        fleet: state,
        what: "tenants archived",
        items: archived,
        work: async (key) => {
          const entry = entryAt(state.tenants, key);
          if (entry) await one.tenant.delete(String(entry.tenantId), tenantStateOf(state, key, entry));
        },
      });
      if (failed.length > 0) throw new Error(`${describeFleet(state)}: ${describeFailures(context, failed)}`);
    },

    import: (id) => importTenantFleet(context, id),
  };

  /** Compares a fleet tenant by tenant. Shows the user how much work there is. */
  async function diff(stored: TenantFleetState, inputs: object): Promise<Difference> {
    const integration = valueAt(inputs, ["integration"]);
    const tenants = valueAt(inputs, ["tenants"]);
    const isKnown = typeof integration === "string" || typeof integration === "number";
    if (!isKnown || typeof tenants !== "object" || tenants === null || isUnknown(tenants)) return { isChanged: true };
    const { limits } = context.areLimitsLifted ? {} : knownLimitsSchema.parse(inputs);
    if ((await integrationScope(context, integration)).id !== stored.integrationId) {
      const plan = { ...emptyPlan(), archive: archivedBy(stored) };
      enforceLimits(plan, limits, stored);
      noteWork(stored, plan);
      await warnOfRefusals(context, stored, plan.archive);
      return { isChanged: true, replaces: ["integration"] };
    }
    const before = { ...stored, tenants: renamed(stored.tenants, tenants) };
    const { name } = namedSchema.safeParse(inputs).data ?? stored;
    const declared: PreviewedFleet & { name: string } = {
      ...inputs,
      name,
      tenants: Object.fromEntries(Object.entries(tenants)),
    };
    const { state, isChanged: areReleasesRestated } = await withManagedReleases(context, before, declared);
    const members = membersOf(state, declared);
    const plan = await planOf(one, members, { stored: state, declared, overridden: await overriddenIn(declared) });
    // tenants with unknown inputs may turn out to be unchanged, so only the update counts them
    const change = plan.change.filter((key) => !hasUnknown(valueAt(tenants, [key])));
    for (const warning of limitWarnings({ ...plan, change }, limits, state)) context.warn(warning);
    await warnOfRefusals(context, state, plan.archive);
    const isPlanDue = await previewRollout(context, before, declared);
    noteEnds(context, declared, membersAt(members, plan.restore));
    warnOfLeftPaused(context, declared, membersAt(members, plan.retain));
    const hasWork = noteWork({ ...inputs, name }, plan);
    noteChanges(context, { name, state, declared, keys: plan.change });
    const isRenamed = Object.keys(stored.tenants).some((key) => !Object.hasOwn(state.tenants, key));
    const areSettingsRestated = !isDeepStrictEqual(settingsOf(state), settingsOf(inputs));
    const isRestated = isRenamed || plan.isRestated || areSettingsRestated || areReleasesRestated || isPlanDue;
    if (!hasWork && !isRestated) return { isChanged: false };
    // a sync may be due even if no input differs
    const isDeclaredAnew = !isDeepStrictEqual(inputsOf(stored), inputs);
    return isDeclaredAnew ? { isChanged: true } : { isChanged: false, isUnfinished: true };
  }

  /**
   * Tells the user what the check has found: the tenants that are taken over, and the counts of a new fleet.
   *
   * @param created what is known of a new fleet.
   */
  async function noteChecked(fleet: object, created: Pick<CheckedFleet, "rollout"> | undefined): Promise<void> {
    const { name, tenants } = namedSchema.safeParse(fleet).data ?? {};
    if (name === undefined || tenants === undefined) return; // a preview does not know them yet
    const create = Object.keys(tenants);
    if (created) noteWork({ ...fleet, name }, { ...emptyPlan(), create });
    if (created?.rollout) previewNewRollout(context, { name, tenants }, created.rollout);
    takeOvers.note({ ...fleet, name }, create);
    await noteOverrides(context, { ...fleet, name });
  }

  /** The keys of the tenants that an override pauses now. */
  async function overriddenIn(fleet: object): Promise<ReadonlySet<string>> {
    return overriddenKeys(fleet, await overrideTime(context, fleet));
  }

  /** Tells the user how much work a plan is, if it is any. */
  function noteWork(fleet: { name: string }, plan: Plan): boolean {
    const work = describePlan(plan, takeOvers.count(fleet, plan.create));
    if (work !== undefined) context.note(`${describeFleet(fleet)}: ${work}`);
    return work !== undefined;
  }

  /** Executes a plan and returns the new state. The failure of one tenant does not stop the others. */
  async function work(id: string, integrationId: number, fleet: FleetWork): Promise<TenantFleetState> {
    const { inputs, members, rollout } = fleet;
    const creating = rollout ? one.withNewTenants(rollout.members, rollout.newTenants) : one;
    const made = await applyTenants(context, creating, fleet);
    takeOvers.note(inputs, fleet.plan.create);
    notePausedBefore(context, inputs, members.values(), made.tenants);
    const synced = await applySyncs(context, one, { ...fleet, ...made });
    const tenants = inOrderOf(members.keys(), made.tenants);
    const rolloutPlan = await rollout?.planWith(made.tenants);
    const after = withTenantIds(defined({ ...settingsOf(inputs), integrationId, tenants, rolloutPlan }));
    const failed = [...made.failed, ...synced.failed];
    if (failed.length === 0) return after;
    throw new IncompleteError(id, after, new Error(`${describeFleet(inputs)}: ${describeFailures(context, failed)}`));
  }
}

/** The limits, unless they are unknown in a preview. The update enforces them in any case. */
const knownLimitsSchema = z.object({ limits: tenantFleetInputsSchema.shape.limits.catch(undefined) });

const namedSchema = z.object({ name: z.string(), tenants: z.record(z.string(), z.unknown()) });

/**
 * The keys of the tenants that the deletion of their fleet archives, by tenant id: the engine passes the tenants in any order,
 * and the reads of tenants that are archived at the same time share a part of the list if they are neighbours in it.
 */
function archivedBy({ tenants, retainOnDelete: fleetDefault = false }: TenantFleetState): string[] {
  return Object.entries(tenants)
    .filter(([, { retainOnDelete = fleetDefault }]) => !retainOnDelete)
    .toSorted(([, left], [, right]) => left.tenantId - right.tenantId)
    .map(([key]) => key);
}

/** The values in the order of the keys, so that the state does not depend on the order in which work ends. */
function inOrderOf<T>(keys: Iterable<string>, values: ReadonlyMap<string, T>): Record<string, T> {
  const entries = [...keys].flatMap((key): [string, T][] => {
    const value = values.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
