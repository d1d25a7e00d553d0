import { timestamp } from "../clock.ts";
import type { RunRecord } from "../entities/run.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import type { JsonObject } from "../rules/json.ts";
import { statusWord } from "../rules/status-words.ts";
import { notify, tenantFields } from "./notify.ts";
import { closingOfLog, writeRunStatus } from "./record-run.ts";

/** Ends a run: completes its log, updates the tenant's status and metadata, and sends the event of a failure. */
export function endRun(platform: Platform, id: number): void {
  const { store, clock } = platform;
  const running = store.runs.find(id);
  if (running?.phase !== "running" || !running.ending) return;

  const { failure, metadata } = running.ending;
  const run: RunRecord = {
    ...running,
    phase: failure === null ? "succeeded" : "failed",
    completed_date: timestamp(clock),
  };
  store.runs.write(run);
  store.runs.writeLog(id, (store.runs.findLog(id) ?? "") + closingOfLog(run));
  if (failure === null && metadata) mergeMetadata(platform, run.tenant_id, metadata);
  writeRunStatus(platform, run);
  if (failure !== null) notifyFailure(platform, run);
}

function mergeMetadata(platform: Platform, tenantId: number, added: JsonObject): void {
  const { store, clock } = platform;
  const current = store.metadata.find(tenantId);
  const now = timestamp(clock);
  store.metadata.write(
    {
      tenant_id: tenantId,
      data: { ...current?.data, ...added },
      created_date: current?.created_date ?? now,
      modified_date: now,
    },
    hiddenPeriod(platform),
  );
}

function notifyFailure(platform: Platform, run: RunRecord): void {
  const tenant = platform.store.tenants.find(run.tenant_id);
  const api = `${platform.url}/v2/runs/${run.id}`;
  notify(platform, "run_failed", {
    run_id: run.id,
    run_status: statusWord(platform.variants.statusWords, run.phase),
    admin_link: `${platform.url}/console/runs/${run.id}`,
    api_link: api,
    api_status_link: `${api}/status`,
    api_triggers_link: `${api}/triggers`,
    ...(tenant ? tenantFields(platform, tenant) : {}),
  });
}
