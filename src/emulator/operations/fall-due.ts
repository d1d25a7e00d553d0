import type { Platform } from "../platform.ts";
import type { AgendaEntry } from "../store/agenda.ts";
import { endRun } from "./end-run.ts";
import { finishBuild } from "./finish-build.ts";
import { addTrigger } from "./request-sync.ts";
import { planSchedule } from "./schedule.ts";
import { runTriggers, startRun } from "./start-run.ts";

/** Does what an entry of the agenda is there for. The entry itself is off the agenda already. */
export function fallDue(platform: Platform, { kind, subject }: AgendaEntry): void {
  if (kind === "build") finishBuild(platform, subject);
  if (kind === "debounce") runTriggers(platform, subject, platform.store.triggers.waiting(subject));
  if (kind === "run") finishRun(platform, subject);
  if (kind === "cron") fireSchedule(platform, subject);
}

function finishRun(platform: Platform, id: number): void {
  endRun(platform, id);
  const tenantId = platform.store.runs.find(id)?.tenant_id;
  const next = tenantId === undefined ? undefined : platform.store.runs.findUnfinished(tenantId, "pending");
  if (next) startRun(platform, next);
}

/** Schedules are not debounced. What waits for a run of its own already stays where it is. */
function fireSchedule(platform: Platform, tenantId: number): void {
  const tenant = platform.store.tenants.find(tenantId);
  if (!tenant) return;
  planSchedule(platform, tenant);
  runTriggers(platform, tenantId, [addTrigger(platform, tenant, { mode: "normal", body: null }, "schedule")]);
}
