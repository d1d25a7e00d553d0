import { IncompleteError } from "../lifecycle.ts";
import type { Platform } from "../platform.ts";
import { type SyncTriggerState, syncTriggerInputsSchema, syncTriggerStateSchema } from "../sync-trigger/schema.ts";
import { allAtOnce } from "./all-at-once.ts";
import { describeFleet, entryAt } from "./entry.ts";
import type { FleetLifecycles } from "./plan.ts";
import type { FleetEntryState } from "./schema.ts";
import { storedSync, syncOf, syncStateOf } from "./sync.ts";
import type { FailedTenant, FleetWork } from "./work-on-tenants.ts";

const syncsAtOnceDefault = 10;

/** Asks for the syncs that are due, of the tenants that are as declared; keeps how they went with the tenants. */
export async function syncFleet(
  platform: Platform,
  { sync }: FleetLifecycles,
  {
    state,
    inputs,
    plan,
    tenants,
    failed,
  }: FleetWork & { tenants: Map<string, FleetEntryState>; failed: FailedTenant[] },
): Promise<{ failed: FailedTenant[] }> {
  const isFailed = new Set(failed.map(({ item }) => item));
  const outcomes: string[] = [];
  const keep = (key: string, outcome: SyncTriggerState) => {
    const tenant = tenants.get(key);
    if (tenant === undefined) return;
    if (outcome.triggerId === undefined || outcome.triggerId !== entryAt(state.tenants, key)?.sync?.triggerId) {
      outcomes.push(outcome.verdict);
    }
    tenants.set(key, { ...tenant, sync: storedSync(entryAt(inputs.tenants, key)?.sync, outcome) });
  };
  const result = await allAtOnce(platform, {
    what: `syncs of ${describeFleet(inputs)} done`,
    items: plan.sync.filter((key) => !isFailed.has(key)),
    atOnce: inputs.syncsAtOnce ?? syncsAtOnceDefault,
    work: async (key) => {
      const { tenantId } = tenants.get(key) ?? {};
      const stored = entryAt(state.tenants, key);
      const before = stored && syncStateOf(state, stored);
      const wanted = syncTriggerInputsSchema.parse(syncOf(inputs, entryAt(inputs.tenants, key) ?? {}, tenantId));
      try {
        keep(key, before ? await sync.update(String(tenantId), before, wanted) : (await sync.create(wanted)).state);
      } catch (error) {
        const kept = error instanceof IncompleteError ? syncTriggerStateSchema.safeParse(error.state).data : undefined;
        if (kept === undefined) outcomes.push("refused");
        else keep(key, kept);
        throw error;
      }
    },
  });
  if (outcomes.length > 0) platform.warn(`${describeFleet(inputs)}: syncs: ${countsOf(outcomes)}`);
  return result;
}

/** `12 succeeded, 3 skipped`. */
function countsOf(words: readonly string[]): string {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].map(([word, { length }]) => `${length} ${word}`).join(", ");
}
