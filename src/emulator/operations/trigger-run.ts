import type { RunRecord } from "../entities/run.ts";
import { NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";

/**
 * GET /v2/runs/triggers/{trigger_id}/status: the run of a trigger.
 *
 * @throws NotFound while it is debounced and has none.
 */
export function triggerRun({ store }: Platform, triggerId: string): RunRecord {
  const trigger = store.triggers.find(triggerId);
  if (!trigger) throw new NotFound(`Trigger ${triggerId} not found`);
  const run = trigger.run_id === null ? undefined : store.runs.find(trigger.run_id);
  if (!run) throw new NotFound(`Trigger ${triggerId} has no run yet`);
  return run;
}
