import type { RunRecord } from "../entities/run.ts";
import type { TenantStatus } from "../entities/tenant.ts";
import { type Platform, shownAt } from "../platform.ts";
import { keptRun } from "../presenting/run.ts";
import { writeTenant } from "./write-tenant.ts";

/**
 * Brings a tenant's status up to date with a run that has begun or ended: `current_run` while it goes on, then
 * `last_run`, `last_successful_run`, and the dynamic configs that an `init` run has found. The tenant's modified_date
 * stays: nobody has changed it.
 */
export function writeRunStatus(platform: Platform, run: RunRecord): void {
  const tenant = platform.store.tenants.find(run.tenant_id);
  if (!tenant) return;
  const status: TenantStatus = { ...tenant.status, ...statusAfter(run) };
  writeTenant(platform, { ...tenant, status }, shownAt(platform));
}

function statusAfter(run: RunRecord): TenantStatus {
  const kept = keptRun(run);
  if (run.phase === "running") return { current_run: kept };
  if (run.phase === "failed") return { current_run: {}, last_run: kept };
  const found = run.mode === "init" ? run.ending?.dynamic_configs : undefined;
  return {
    current_run: {},
    last_run: kept,
    last_successful_run: kept,
    ...(found ? { dynamic_configs: found } : {}),
  };
}
