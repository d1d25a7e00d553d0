import type { Platform } from "../platform.ts";
import type { Job } from "../store/jobs.ts";
import { finishBuild } from "./builds.ts";
import { addTrigger } from "./request-sync.ts";
import { endRun, runTriggers, startRun } from "./runs.ts";
import { planSchedule } from "./schedule.ts";

/** Runs a job that is due. The caller has removed it from the stored jobs. */
export function runJob(platform: Platform, { kind, subject }: Job): void {
  switch (kind) {
    case "build":
      finishBuild(platform, subject);
      break;
    case "debounce":
      runTriggers(platform, subject, platform.store.triggers.waiting(subject));
      break;
    case "run":
      finishRun(platform, subject);
      break;
    case "cron":
      fireSchedule(platform, subject);
  }
}

function finishRun(platform: Platform, id: number): void {
  endRun(platform, id);
  const tenantId = platform.store.runs.find(id)?.tenant_id;
  const next = tenantId === undefined ? undefined : platform.store.runs.findUnfinished(tenantId, "pending");
  if (next) startRun(platform, next);
}

/** Starts a run by schedule. Such a run is not debounced, and triggers that are being debounced do not join it. */
function fireSchedule(platform: Platform, tenantId: number): void {
  const tenant = platform.store.tenants.find(tenantId);
  if (!tenant) return;
  planSchedule(platform, tenant);
  runTriggers(platform, tenantId, [addTrigger(platform, tenant, { mode: "normal", body: null }, "schedule")]);
}
