import type { OperationContext } from "../../operation/operation-context.ts";
import { countsOfSyncs, describeCounts, type SyncOutcome } from "../../operation/run-outcome.ts";
import { IncompleteError } from "../lifecycle.ts";
import { type SyncTriggerState, syncTriggerInputsSchema, syncTriggerStateSchema } from "../sync-trigger/schema.ts";
import { allAtOnce } from "./all-at-once.ts";
import type { FailedTenant, FleetWork } from "./apply-tenants.ts";
import { describeFleet } from "./entry.ts";
import type { FleetLifecycles } from "./fleet-lifecycles.ts";
import { type Member, membersAt } from "./members.ts";
import type { FleetEntryState } from "./schema.ts";
import { storedSync, syncOf } from "./sync.ts";

const syncConcurrencyDefault = 10;

/** Requests the syncs that are due, except of tenants that failed, and stores the outcomes in the tenants' states. */
export async function applySyncs(
  context: OperationContext,
  { sync }: FleetLifecycles,
  {
    inputs,
    members,
    plan,
    tenants,
    failed,
  }: FleetWork & {
    tenants: Map<string, FleetEntryState>;
    failed: FailedTenant[];
  },
): Promise<{ failed: FailedTenant[] }> {
  const isFailed = new Set(failed.map(({ item }) => item));
  const outcomes: SyncOutcome[] = [];
  const store = ({ key, stored, declared }: Member, result: SyncTriggerState) => {
    const tenant = tenants.get(key);
    if (tenant === undefined) return;
    const last = stored?.sync;
    const isKnown =
      result.triggerId !== undefined && result.triggerId === last?.triggerId && result.outcome === last.outcome;
    if (!isKnown) outcomes.push(result.outcome);
    tenants.set(key, { ...tenant, sync: storedSync(declared?.entry.sync, result) });
  };
  const { failed: notSynced } = await allAtOnce(context, {
    fleet: inputs,
    what: "syncs done",
    items: membersAt(members, plan.sync).filter(({ key }) => !isFailed.has(key)),
    atOnce: inputs.syncConcurrency ?? syncConcurrencyDefault,
    work: async (member) => {
      const { key, stored, declared } = member;
      const { tenantId } = tenants.get(key) ?? {};
      const wanted = syncTriggerInputsSchema.parse(syncOf(inputs, declared?.entry ?? {}, tenantId));
      try {
        const result = stored?.sync
          ? await sync.update(stored.id, stored.sync, wanted)
          : (await sync.create(wanted)).state;
        store(member, result);
      } catch (error) {
        const result =
          error instanceof IncompleteError ? syncTriggerStateSchema.safeParse(error.state).data : undefined;
        if (result === undefined) outcomes.push("refused");
        else store(member, result);
        throw error;
      }
    },
  });
  if (outcomes.length > 0) context.note(`${describeFleet(inputs)}: syncs: ${describeCounts(countsOfSyncs(outcomes))}`);
  return { failed: notSynced.map(({ item, error }) => ({ item: item.key, error })) };
}
