import type { RunRecord } from "../entities/run.ts";
import { runSummary } from "../entities/run.ts";
import type { TenantRecord, TenantStatus } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { writeTenant } from "./schedule.ts";

/**
 * Updates a tenant's status after a run started or ended: `current_run` while it runs, then `last_run`,
 * `last_successful_run`, and the dynamic configs of an `init` run. The tenant's modified_date stays, as a run is not a
 * change of the tenant.
 */
export function writeRunStatus(platform: Platform, run: RunRecord): void {
  const tenant = platform.store.tenants.find(run.tenant_id);
  if (!tenant) return;
  const status: TenantStatus = { ...tenant.status, ...statusAfter(run) };
  writeTenant(platform, { ...tenant, status }, hiddenPeriod(platform));
}

function statusAfter(run: RunRecord): TenantStatus {
  const summary = runSummary(run);
  if (run.phase === "running") return { current_run: summary };
  if (run.phase === "failed") return { current_run: {}, last_run: summary };
  const found = run.mode === "init" ? run.ending?.dynamic_configs : undefined;
  return {
    current_run: {},
    last_run: summary,
    last_successful_run: summary,
    ...(found ? { dynamic_configs: found } : {}),
  };
}

/** The lines that a run's log starts with. */
export function openingOfLog(run: RunRecord, tenant: TenantRecord): string {
  const triggers = run.triggers.map(({ trigger_id, source }) => `${trigger_id} (${source})`).join(", ");
  return lines(run.started_date, [
    `INFO run ${run.id} of tenant ${tenant.name} (${tenant.id}) started, mode ${run.mode}`,
    `INFO triggers: ${triggers}`,
  ]);
}

/** The lines that a run's log ends with. */
export function closingOfLog(run: RunRecord): string {
  const failure = run.ending?.failure ?? null;
  const last = failure === null ? `INFO run ${run.id} succeeded` : `ERROR run ${run.id} failed: ${failure}`;
  return lines(run.completed_date, [...(run.ending?.log ?? []).map((line) => `INFO ${line}`), last]);
}

function lines(time: string | null, messages: readonly string[]): string {
  return messages.map((message) => `${time} ${message}\n`).join("");
}
