import type { Platform } from "../platform.ts";
import type { Job } from "../store/jobs.ts";
import { finishBuild } from "./builds.ts";
import { addTrigger } from "./request-sync.ts";
import { endRun, runTriggers, startNextRun } from "./runs.ts";
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
  if (tenantId !== undefined) startNextRun(platform, tenantId);
}

/** Starts a run by schedule, which is not debounced. */
function fireSchedule(platform: Platform, tenantId: number): void {
  const tenant = platform.store.tenants.find(tenantId);
  if (!tenant) return;
  planSchedule(platform, tenant);
  runTriggers(platform, tenantId, [addTrigger(platform, tenant, { mode: "normal", body: null }, "schedule")]);
}
