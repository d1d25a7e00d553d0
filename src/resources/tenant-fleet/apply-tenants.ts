import { distinctPaths } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { IncompleteError } from "../lifecycle.ts";
import { tenantStateSchema } from "../tenant/schema.ts";
import { allAtOnce } from "./all-at-once.ts";
import { entryStateOf } from "./entry.ts";
import type { FleetLifecycles } from "./fleet-lifecycles.ts";
import { type Member, membersAt } from "./members.ts";
import type { FleetPlan } from "./plan.ts";
import type { RolloutStep } from "./rollout-step.ts";
import type { FleetEntryState, TenantFleetInputs } from "./schema.ts";
import { storedSync } from "./sync.ts";

/** The desired inputs of a fleet, its tenants, and the plan of the work on them. */
export interface FleetWork {
  inputs: TenantFleetInputs;
  members: ReadonlyMap<string, Member>;
  plan: FleetPlan;
  rollout?: RolloutStep | undefined;
}

/** A tenant of a fleet whose work failed. */
export interface FailedTenant {
  /** The tenant's key. */
  item: string;
  error: unknown;
}

/**
 * Creates, changes and archives the tenants of a fleet, and returns their states. Tenants whose declared sync is another one
 * than the last have no sync outcome in their state. A tenant whose work failed in part has its partial state.
 */
export async function applyTenants(
  context: OperationContext,
  lifecycles: FleetLifecycles,
  { inputs, members, plan }: FleetWork,
): Promise<{ tenants: Map<string, FleetEntryState>; failed: FailedTenant[] }> {
  const tenants = new Map<string, FleetEntryState>();
  // without an outcome in the state, a sync that this update does not come to remains due
  const toSyncAnew = new Set(plan.syncAnew);
  const toRetain = new Set(plan.retain);
  const toChange = new Set(plan.change);
  const declaredOf = ({ key, stored, declared }: Member) => {
    const { sync, ...entry } = declared?.entry ?? {};
    // keep the outcome of the last sync, unless the sync is no longer declared
    const isSynced = !toSyncAnew.has(key) && (sync ?? inputs.sync) !== undefined;
    const last = stored?.entry.sync;
    return { ...entry, sync: isSynced ? last && storedSync(sync, last) : sync };
  };
  // the state of unfinished work may contain values that were secret before
  const unfinishedOf = (member: Member) => {
    const declared = declaredOf(member);
    const secretPaths = [declared, member.stored?.entry].flatMap((entry) => entry?.secretPaths ?? []);
    return { ...declared, ...(secretPaths.length > 0 ? { secretPaths: distinctPaths(secretPaths) } : {}) };
  };
  for (const member of members.values()) {
    const { key, stored, declared } = member;
    if (stored === undefined || toRetain.has(key)) continue;
    const restated = toChange.has(key) ? unfinishedOf(member) : declaredOf(member);
    tenants.set(key, declared === undefined ? stored.entry : entryStateOf(key, restated, stored.state));
  }

  const archive = async ({ key, stored }: Member) => {
    if (stored !== undefined) await lifecycles.tenant.delete(stored.id, stored.state);
    tenants.delete(key);
  };
  const ofFleet = Map.groupBy(
    (inputs.secretPaths ?? []).filter(([first]) => first === "tenants"),
    ([, key]) => key,
  );
  const apply = async (member: Member) => {
    const { key, stored, declared } = member;
    if (declared === undefined) return;
    const own = [...(ofFleet.get(undefined) ?? []), ...(ofFleet.get(key) ?? [])].map(([, , ...path]) => path);
    const secretPaths = [...own, ...(declared.inputs.secretPaths ?? [])];
    const wanted = { ...declared.inputs, secretPaths };
    const after =
      stored === undefined
        ? (await lifecycles.creating(key).create(wanted)).state
        : await lifecycles.tenant.update(stored.id, stored.state, wanted);
    tenants.set(key, entryStateOf(key, declaredOf(member), after));
  };

  const toCreate = membersAt(members, plan.create);
  // in an incident, nothing else of the update must come before the pauses, except what a new name has to wait for
  const begins = new Set(plan.pause);
  const isRenamed = ({ stored, declared }: Member) => stored?.state.name !== declared?.inputs.name;
  const changing = byTenantId(membersAt(members, plan.change));
  const toPause = changing.filter((member) => begins.has(member.key) && !isRenamed(member));
  const toUpdate = changing.filter((member) => !toPause.includes(member));
  // a new tenant may have the name of one that is archived or renamed, so it is created after that
  const givenUp = new Set(toUpdate.map(({ stored }) => stored?.state.name));
  const isTaken = ({ declared }: Member) => givenUp.has(declared?.inputs.name);
  const failed: FailedTenant[] = [];
  for (const [done, items, work] of [
    ["paused", toPause, apply],
    ["archived", byTenantId(membersAt(members, plan.archive)), archive],
    ["applied", [...toCreate.filter((member) => !isTaken(member)), ...toUpdate], apply],
    ["applied", toCreate.filter(isTaken), apply],
  ] as const) {
    // another resource may take over a removed tenant, so wait until the program seems to have declared all resources
    try {
      if (work === archive && items.length > 0) await context.ownership.untilArchivable("the removed tenant");
    } catch (error) {
      failed.push(...items.map(({ key }) => ({ item: key, error }))); // the state must have the pauses
      continue;
    }
    const result = await allAtOnce(context, { fleet: inputs, what: `tenants ${done}`, items, work });
    failed.push(...result.failed.map(({ item, error }) => ({ item: item.key, error })));
  }
  for (const { item: key, error } of failed) {
    const member = members.get(key);
    const incomplete = error instanceof IncompleteError ? tenantStateSchema.safeParse(error.state).data : undefined;
    if (member && incomplete) tenants.set(key, entryStateOf(key, unfinishedOf(member), incomplete));
  }
  return { tenants, failed };
}

/** In the order of the list of tenants, so that the reads of tenants that are changed at the same time share a part of it. */
function byTenantId(members: readonly Member[]): Member[] {
  return members.toSorted((left, right) => Number(left.stored?.id) - Number(right.stored?.id));
}
