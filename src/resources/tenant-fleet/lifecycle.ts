import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { defined } from "../../json/defined.ts";
import { valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { ownerOf } from "../../operation/ownership.ts";
import { type Difference, IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { describeRenamedIntegration } from "../renamed-integration.ts";
import { notReplaced } from "../tenant/lifecycle.ts";
import { noteWaiting } from "../tenant/waiting.ts";
import { allAtOnce } from "./all-at-once.ts";
import { applySyncs } from "./apply-syncs.ts";
import { applyTenants, type FleetWork } from "./apply-tenants.ts";
import { warnOfRefusals } from "./archive-warnings.ts";
import { type CheckedFleet, checkFleet } from "./check.ts";
import { describeFailures } from "./describe-many.ts";
import {
  describeFleet,
  entryAt,
  entryStateOf,
  tenantOf,
  tenantStateOf,
  withNewKeys,
  withOwnOverride,
} from "./entry.ts";
import { fleetLifecycles } from "./fleet-lifecycles.ts";
import { noteChanges } from "./grouped-changes.ts";
import { importTenantFleet } from "./import-tenant-fleet.ts";
import { enforceLimits, limitWarnings } from "./limits.ts";
import { withManagedReleases } from "./managed-releases.ts";
import { type Member, membersAt, membersOf, type PreviewedFleet } from "./members.ts";
import { inputsOf, settingsOf, withTenantIds } from "./observed-state.ts";
import { overriddenKeys } from "./overridden.ts";
import {
  type LeftTenant,
  noteEndedOverrides,
  noteOverrides,
  notePausedBeforeOverride,
  warnOfLeftPaused,
} from "./override-notes.ts";
import { describePlan, emptyPlan, type FleetPlan, planFleet } from "./plan.ts";
import { previewNewRollout, previewRollout } from "./preview-rollout.ts";
import { holdReplaced, refuseReplacement } from "./replacement.ts";
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
 *
 * `update` and `diff` have three forms of the last state:
 * - `stored` is the state as the engine passes it.
 * - `before` is `stored` with the tenants under their new keys ({@link withNewKeys}).
 * - `state` is `before` with the releases that the fleet manages from now on ({@link withManagedReleases}).
 */
export function tenantFleetLifecycle(context: OperationContext): Lifecycle<TenantFleetInputs, TenantFleetState> {
  const takeOvers = createTakeOvers(context);
  const lifecycles = fleetLifecycles({ ...context, noteTakeOver: takeOvers.add });

  return {
    check: (inputs, old) =>
      context.ownership.duringCheck(async () => {
        const { failures, rollout } = await checkFleet(context, lifecycles, inputs, old);
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
      const plan = await planFleet(lifecycles, members, {
        stored: empty,
        declared: inputs,
        overridden: await overriddenKeys(context, inputs),
      });
      const rollout = await rolloutStep(context, empty, inputs);
      return { id, state: await executePlan(id, integrationId, { inputs, members, plan, rollout }) };
    },

    read: async (_, state) => {
      const found = new Map<string, FleetEntryState>();
      const { failed } = await allAtOnce(context, {
        fleet: state,
        what: "tenants read",
        items: Object.entries(state.tenants),
        work: async ([key, entry]) => {
          const read = await lifecycles.tenant.read(String(entry.tenantId), tenantStateOf(state, key, entry));
          if (read !== undefined) found.set(key, entryStateOf(key, withOwnOverride(state, entry), read.state));
        },
      });
      // the state must not lose the tenants that could not be read
      if (failed.length > 0) throw failed[0]?.error;
      const observed = { ...state, tenants: inOrderOf(Object.keys(state.tenants), found) };
      return { inputs: inputsOf(observed), state: withTenantIds(observed) };
    },

    update: async (id, stored, inputs) => {
      const before = { ...stored, tenants: withNewKeys(stored.tenants, inputs.tenants) };
      const { state } = await withManagedReleases(context, before, inputs);
      const rollout = await rolloutStep(context, before, inputs);
      const members = membersOf(state, inputs);
      const plan = await planFleet(lifecycles, members, {
        stored: state,
        declared: inputs,
        overridden: await overriddenKeys(context, inputs, state),
      });
      enforceLimits(withOverwrites(plan, inputs), context.areLimitsLifted ? undefined : inputs.limits, state);
      warnOfLeftPaused(context, inputs, leftOf(membersAt(members, plan.retain)));
      // an earlier `up` may have failed to create such a tenant: then its inputs are stored, but it has no tenant
      for (const key of plan.create) context.ownership.startAnew(ownerOf("TenantFleet", tenantOf(inputs, key, {})));
      return executePlan(id, state.integrationId, { inputs, members, plan, rollout });
    },

    delete: async (_, state) => {
      const archived = archivedBy(state);
      const isArchived = new Set(archived);
      for (const [key, { tenantId }] of Object.entries(state.tenants)) {
        // a tenant that is retained is free for another resource
        if (!isArchived.has(key)) context.ownership.release(ownerOf("TenantFleet", tenantOf(state, key, {})), tenantId);
      }
      noteWork(state, { ...emptyPlan(), archive: archived });
      warnOfLeftPaused(context, state, retainedBy(state));
      await refuseUnreplaceable(state, archived);
      const { failed } = await allAtOnce(context, {
        fleet: state,
        what: "tenants archived",
        items: archived,
        work: async (key) => {
          const entry = entryAt(state.tenants, key);
          if (entry) await lifecycles.tenant.delete(String(entry.tenantId), tenantStateOf(state, key, entry));
        },
      });
      if (failed.length > 0) throw new Error(`${describeFleet(state)}: ${describeFailures(context, failed)}`);
    },

    import: (id) => importTenantFleet(context, id),
  };

  /**
   * Compares a fleet with its declaration, tenant by tenant. Also shows the user what an `up` would do, and warns about what
   * it would refuse: limits, and tenants that must not be archived.
   */
  async function diff(stored: TenantFleetState, inputs: object): Promise<Difference> {
    const integration = valueAt(inputs, ["integration"]);
    const tenants = valueAt(inputs, ["tenants"]);
    // a preview may not know the integration or the tenants yet
    const isKnown = typeof integration === "string" || typeof integration === "number";
    if (!isKnown || typeof tenants !== "object" || tenants === null || isUnknown(tenants)) return { isChanged: true };
    const { limits } = context.areLimitsLifted ? {} : knownLimitsSchema.parse(inputs);
    // a fleet cannot change its integration: the engine replaces it, which archives its tenants
    const { id: integrationId } = await integrationScope(context, integration);
    if (integrationId !== stored.integrationId) {
      if (integration === stored.integration) {
        throw new Error(describeRenamedIntegration(describeFleet(stored), stored, integrationId));
      }
      holdReplaced(context, stored, inputs, tenants);
      const plan = { ...emptyPlan(), archive: archivedBy(stored) };
      enforceLimits(plan, limits, stored);
      noteWork(stored, plan);
      warnOfLeftPaused(context, stored, retainedBy(stored));
      await warnOfRefusals(context, stored, plan.archive);
      return { isChanged: true, replaces: ["integration"] };
    }
    const before = { ...stored, tenants: withNewKeys(stored.tenants, tenants) };
    const { name } = namedSchema.safeParse(inputs).data ?? stored;
    const declared: PreviewedFleet & { name: string } = {
      ...inputs,
      name,
      tenants: Object.fromEntries(Object.entries(tenants)),
    };
    const { state, isChanged: areManagedReleasesChanged } = await withManagedReleases(context, before, declared);
    const members = membersOf(state, declared);
    const plan = await planFleet(lifecycles, members, {
      stored: state,
      declared,
      overridden: await overriddenKeys(context, declared, state),
    });
    // tenants with unknown inputs may turn out to be unchanged, so only the update counts them
    const change = plan.change.filter((key) => !hasUnknown(valueAt(tenants, [key])));
    for (const warning of limitWarnings(withOverwrites({ ...plan, change }, declared), limits, state)) {
      context.warn(warning);
    }
    await warnOfRefusals(context, state, plan.archive);
    const isRolloutPlanChanged = await previewRollout(context, before, declared);
    noteEndedOverrides(context, declared, membersAt(members, plan.restore));
    warnOfLeftPaused(context, declared, leftOf(membersAt(members, plan.retain)));
    const hasWork = noteWork({ ...inputs, name }, plan);
    noteChanges(context, { name, state, declared, keys: plan.change });
    const isRenamed = Object.keys(stored.tenants).some((key) => !Object.hasOwn(state.tenants, key));
    const areSettingsChanged = !isDeepStrictEqual(settingsOf(state), settingsOf(inputs));
    // these changes may need no request, but an update must store them in the state
    const mustBeStored =
      isRenamed || plan.hasStateOnlyChanges || areSettingsChanged || areManagedReleasesChanged || isRolloutPlanChanged;
    if (!hasWork && !mustBeStored) return { isChanged: false };
    // there may be work without a changed input: for example, a sync is due until it has succeeded
    const areInputsChanged = !isDeepStrictEqual(inputsOf(stored), inputs);
    return areInputsChanged ? { isChanged: true } : { isChanged: false, isUnfinished: true };
  }

  /**
   * Tells the user what the check has found: the tenants that are taken over, the overrides in force, and for a new fleet how
   * many tenants it creates and what its rollout does. For a fleet that has a state, the diff shows these.
   *
   * @param newFleet the rollout of a new fleet; `undefined` for a fleet that has a state.
   */
  async function noteChecked(fleet: object, newFleet: Pick<CheckedFleet, "rollout"> | undefined): Promise<void> {
    const { name, tenants } = namedSchema.safeParse(fleet).data ?? {};
    if (name === undefined || tenants === undefined) return; // a preview does not know them yet
    const keys = Object.keys(tenants);
    if (newFleet) noteWork({ ...fleet, name }, { ...emptyPlan(), create: keys });
    if (newFleet?.rollout) {
      const taken = takeOvers.ids({ ...fleet, name }, keys);
      previewNewRollout(context, { ...fleet, name, tenants }, newFleet.rollout, taken);
    }
    takeOvers.note({ ...fleet, name }, keys);
    await noteOverrides(context, { ...fleet, name });
  }

  /** Shows the user a summary of a plan, such as `creates 2 tenants, changes 1`. Returns whether the plan has any work. */
  function noteWork(fleet: { name: string }, plan: FleetPlan): boolean {
    const summary = describePlan(plan, takeOvers.ids(fleet, plan.create).size);
    if (summary !== undefined) context.note(`${describeFleet(fleet)}: ${summary}`);
    return summary !== undefined;
  }

  /** Throws before anything is archived if the fleet is replaced and the create of one of its tenants would be refused. */
  async function refuseUnreplaceable(state: TenantFleetState, keys: readonly string[]): Promise<void> {
    const { createRefusals, renamedOwners, ownership } = context;
    const replaced = keys.flatMap((key) => {
      const id = Number(entryAt(state.tenants, key)?.tenantId);
      const refusalOf = createRefusals.get(renamedOwners.get(id) ?? ownerOf("TenantFleet", tenantOf(state, key, {})));
      return refusalOf === undefined ? [] : [{ key, id, refusalOf }];
    });
    if (replaced.length === 0) return;
    await ownership.untilArchivable(`each tenant of ${describeFleet(state)}`);
    for (const { key, id, refusalOf } of replaced) {
      const refusal = await refusalOf(id);
      if (refusal !== undefined) throw notReplaced(describeFleet(state), `${key}: ${refusal}`);
    }
  }

  /** The plan with the take-overs that may overwrite settings. The others find what they would create. */
  function withOverwrites(plan: FleetPlan, fleet: PreviewedFleet) {
    return { ...plan, overwrite: takeOvers.overwritten(fleet, plan.create) };
  }

  /**
   * Executes a plan and returns the new state. The failure of one tenant does not stop the others.
   *
   * @throws IncompleteError with the new state, if the work on a tenant or a sync failed.
   */
  async function executePlan(id: string, integrationId: number, fleet: FleetWork): Promise<TenantFleetState> {
    const { inputs, members, rollout } = fleet;
    // a rollout decides on which release its new tenants are created
    const lifecyclesToApply = rollout ? lifecycles.withNewTenants(rollout.members, rollout.newTenants) : lifecycles;
    const applied = await applyTenants(context, lifecyclesToApply, fleet);
    takeOvers.note(inputs, fleet.plan.create);
    notePausedBeforeOverride(context, inputs, members.values(), applied.tenants);
    // adds the outcomes of the syncs to `applied.tenants`
    const synced = await applySyncs(context, lifecycles, { ...fleet, ...applied });
    noteWaiting(context, describeFleet(inputs), [...applied.tenants.values()]);
    const tenants = inOrderOf(members.keys(), applied.tenants);
    const rolloutPlan = await rollout?.planWith(applied.tenants);
    const after = withTenantIds(defined({ ...settingsOf(inputs), integrationId, tenants, rolloutPlan }));
    const failed = [...applied.failed, ...synced.failed];
    if (failed.length === 0) return after;
    throw new IncompleteError(id, after, new Error(`${describeFleet(inputs)}: ${describeFailures(context, failed)}`));
  }
}

/** The limits, unless they are unknown in a preview. The update enforces them in any case. */
const knownLimitsSchema = z.object({ limits: tenantFleetInputsSchema.shape.limits.catch(undefined) });

/** The inputs of a fleet that its messages need. They do not match while a preview does not know them. */
const namedSchema = z.object({ name: z.string(), tenants: z.record(z.string(), z.unknown()) });

/**
 * The keys of the tenants that a deletion of the fleet archives, sorted by tenant id. The engine passes the tenants in any
 * order. Sorted, the tenants that are archived at the same time are close to each other in the platform's list, so that one
 * read of a part of the list verifies several of them.
 */
function archivedBy({ tenants, retainOnDelete: fleetDefault = false }: TenantFleetState): string[] {
  return Object.entries(tenants)
    .filter(([, { retainOnDelete = fleetDefault }]) => !retainOnDelete)
    .toSorted(([, left], [, right]) => left.tenantId - right.tenantId)
    .map(([key]) => key);
}

/** The tenants that a deletion of the fleet leaves as they are. */
function retainedBy(state: TenantFleetState): LeftTenant[] {
  const archived = new Set(archivedBy(state));
  const retained = Object.entries(state.tenants).filter(([key]) => !archived.has(key));
  return retained.map(([key, { tenantId, overridden }]) => ({ key, id: tenantId, overridden }));
}

function leftOf(members: readonly Member<object>[]): LeftTenant[] {
  return members.map(({ key, stored }) => ({ key, id: Number(stored?.id), overridden: stored?.state.overridden }));
}

/** The values in the order of the keys, so that the state does not depend on the order in which work ends. */
function inOrderOf<T>(keys: Iterable<string>, values: ReadonlyMap<string, T>): Record<string, T> {
  const entries = [...keys].flatMap((key): [string, T][] => {
    const value = values.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
