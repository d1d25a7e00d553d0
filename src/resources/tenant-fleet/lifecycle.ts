import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { hasUnknown, isUnknown, valueAt } from "../../json-schema/index.ts";
import { defined } from "../defined.ts";
import { integrationScope } from "../integration-scope.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { ownerOf } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { syncTriggerLifecycle } from "../sync-trigger/lifecycle.ts";
import { tenantLifecycle } from "../tenant/lifecycle.ts";
import { allAtOnce } from "./all-at-once.ts";
import { checkFleet } from "./check.ts";
import { describeFleet, entryAt, entryOf, entryStateOf, renamed, tenantOf, tenantStateOf } from "./entry.ts";
import { describeFailures } from "./failures.ts";
import { enforceLimits, limitWarnings } from "./limits.ts";
import { describePlan, emptyPlan, type FleetLifecycles, type Plan, planOf } from "./plan.ts";
import {
  type FleetEntryState,
  type TenantFleetInputs,
  type TenantFleetState,
  tenantFleetInputsSchema,
} from "./schema.ts";
import { syncFleet } from "./sync-fleet.ts";
import { workOnTenants } from "./work-on-tenants.ts";

/**
 * Brings about many tenants, each by the lifecycle of `Tenant`, and their syncs by that of `SyncTrigger`. What each input
 * means stands at `TenantFleetArgs`.
 */
export function tenantFleetLifecycle(platform: Platform): Lifecycle<TenantFleetInputs, TenantFleetState> {
  const one: FleetLifecycles = {
    tenant: tenantLifecycle(platform, "TenantFleet"),
    sync: syncTriggerLifecycle(platform),
  };

  return {
    check: (inputs, old) => platform.ownership.duringCheck(() => checkFleet(one, inputs, old)),

    diff: async (_, stored, inputs) => {
      const integration = valueAt(inputs, ["integration"]);
      const tenants = valueAt(inputs, ["tenants"]);
      const isKnown = typeof integration === "string" || typeof integration === "number";
      if (!isKnown || typeof tenants !== "object" || tenants === null || isUnknown(tenants)) return { isChanged: true };
      const { limits } = platform.areLimitsLifted ? {} : knownLimitsSchema.parse(inputs);
      if ((await integrationScope(platform, integration)).id !== stored.integrationId) {
        enforceLimits({ ...emptyPlan(), archive: archivedBy(stored) }, limits, stored);
        return { isChanged: true, replaces: ["integration"] };
      }
      const state = { ...stored, tenants: renamed(stored.tenants, tenants) };
      const plan = await planOf(one, state, { ...inputs, tenants: Object.fromEntries(Object.entries(tenants)) });
      // what is not known yet may turn out to be as it is: the update knows
      const change = plan.change.filter((key) => !hasUnknown(valueAt(tenants, [key])));
      for (const warning of limitWarnings({ ...plan, change }, limits, state)) platform.warn(warning);
      const work = describePlan(plan);
      if (work !== undefined) platform.warn(`${describeFleet(state)}: ${work}`);
      const isRenamed = Object.keys(stored.tenants).some((key) => !Object.hasOwn(state.tenants, key));
      const isRestated = isRenamed || plan.isRestated || !isDeepStrictEqual(settingsOf(state), settingsOf(inputs));
      if (work === undefined && !isRestated) return { isChanged: false };
      // a sync may be due although no input differs
      const isDeclaredAnew = !isDeepStrictEqual(inputsOf(stored), inputs);
      return isDeclaredAnew ? { isChanged: true } : { isChanged: false, isUnfinished: true };
    },

    create: async (inputs) => {
      const { id: integrationId } = await integrationScope(platform, inputs.integration);
      const empty = { ...inputs, integrationId, tenants: {} };
      const id = `${integrationId}/${inputs.name}`;
      return { id, state: await work(id, empty, inputs, await planOf(one, empty, inputs)) };
    },

    read: async (_, state) => {
      const found = new Map<string, FleetEntryState>();
      const { failed } = await allAtOnce(platform, {
        what: `tenants of ${describeFleet(state)} read`,
        items: Object.entries(state.tenants),
        work: async ([key, entry]) => {
          const read = await one.tenant.read(String(entry.tenantId), tenantStateOf(state, key, entry));
          if (read !== undefined) found.set(key, entryStateOf(key, entry, read.state));
        },
      });
      if (failed.length > 0) throw failed[0]?.error;
      const observed = { ...state, tenants: inOrderOf(state.tenants, found) };
      return { inputs: inputsOf(observed), state: observed };
    },

    update: async (id, stored, inputs) => {
      const state = { ...stored, tenants: renamed(stored.tenants, inputs.tenants) };
      const plan = await planOf(one, state, inputs);
      enforceLimits(plan, platform.areLimitsLifted ? undefined : inputs.limits, state);
      // the inputs of before may have had a tenant that could not be made
      for (const key of plan.create) platform.ownership.startAnew(ownerOf("TenantFleet", tenantOf(inputs, key, {})));
      // a tenant that leaves may move to another resource, which is declared after this one
      if (plan.archive.length > 0) await platform.ownership.untilQuiet();
      return work(id, state, inputs, plan);
    },

    delete: async (_, state) => {
      const { failed } = await allAtOnce(platform, {
        what: `tenants of ${describeFleet(state)} archived`,
        items: archivedBy(state),
        work: async (key) => {
          const entry = entryAt(state.tenants, key);
          if (entry) await one.tenant.delete(String(entry.tenantId), tenantStateOf(state, key, entry));
        },
      });
      if (failed.length > 0) throw new Error(`${describeFleet(state)}: ${describeFailures(platform, failed)}`);
    },
  };

  /** Does what is planned, as much of it at once as the client allows. One tenant's failure stops no other. */
  async function work(
    id: string,
    state: TenantFleetState,
    inputs: TenantFleetInputs,
    plan: Plan,
  ): Promise<TenantFleetState> {
    const made = await workOnTenants(platform, one, { state, inputs, plan });
    const synced = await syncFleet(platform, one, { state, inputs, plan, tenants: made.tenants, failed: made.failed });
    const after = {
      ...settingsOf(inputs),
      integrationId: state.integrationId,
      tenants: inOrderOf({ ...inputs.tenants, ...state.tenants }, made.tenants),
    };
    const failed = [...made.failed, ...synced.failed];
    if (failed.length === 0) return after;
    throw new IncompleteError(id, after, new Error(`${describeFleet(inputs)}: ${describeFailures(platform, failed)}`));
  }
}

/** In a preview they may not be known yet: then they are enforced by the update. */
const knownLimitsSchema = z.object({ limits: tenantFleetInputsSchema.shape.limits.catch(undefined) });

type FleetSettings = Omit<TenantFleetInputs, "tenants">;

function settingsOf(fleet: FleetSettings): FleetSettings;
function settingsOf(fleet: object): object;
function settingsOf(fleet: object): object {
  const {
    integration,
    name,
    adopt,
    forceArchive,
    onRemove,
    limits,
    sync,
    syncsAtOnce,
    logicalName,
    secretPaths,
  }: Partial<FleetSettings> = fleet;
  const own = { integration, name, adopt, forceArchive, onRemove, limits, sync, syncsAtOnce };
  return defined({ ...own, logicalName, secretPaths });
}

function inputsOf(state: TenantFleetState): TenantFleetInputs {
  const entries = Object.entries(state.tenants).map(([key, entry]) => [key, entryOf(entry)] as const);
  return { ...settingsOf(state), tenants: Object.fromEntries(entries) };
}

/** The keys of the tenants that go with their fleet. */
function archivedBy({ tenants, onRemove: fleetOnRemove }: TenantFleetState): string[] {
  return Object.entries(tenants).flatMap(([key, { onRemove = fleetOnRemove }]) => (onRemove === "forget" ? [] : [key]));
}

/** Work ends in any order; what is stored does not depend on it. */
function inOrderOf<T>(keys: object, values: ReadonlyMap<string, T>): Record<string, T> {
  const entries = Object.keys(keys).flatMap((key): [string, T][] => {
    const value = values.get(key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
