import { timestamp } from "../clock.ts";
import type { RunMode, TriggerRecord, TriggerSource } from "../entities/run.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import type { JsonObject } from "../rules/json.ts";
import { invalid, NotFound } from "../rules/problems.ts";
import { isConnected } from "./connection.ts";
import { requireIdle, requireIntegration, requireTenant } from "./require.ts";

/** The parameters of a sync. */
export interface SyncRequest {
  readonly mode: RunMode;
  /** Free-form data for the integration's code. */
  readonly body: JsonObject | null;
}

/**
 * POST /v2/tenants/{tenant_id}/sync. Triggers are debounced: a second after the first trigger, one run starts for all
 * triggers of that second.
 *
 * @throws NotFound also for an archived tenant, and for an unconnected one in the variant `unconnectedSync=missing`.
 * @throws Busy while a run of the tenant is in progress; see the variant `busy`.
 * @throws InvalidRequest for an unconnected or paused tenant; see the variants `unconnectedSync` and `pausedSync`.
 */
export function requestSync(
  platform: Platform,
  tenantId: number,
  request: SyncRequest,
  source: TriggerSource = "api",
): TriggerRecord {
  const tenant = requireTenant(platform, tenantId);
  requireIdle(platform, tenantId);
  requireReady(platform, tenant);
  return platform.store.transaction(() => {
    const trigger = addTrigger(platform, tenant, request, source);
    debounce(platform, tenant.id);
    return trigger;
  });
}

/**
 * POST /v2/integrations/{integration_id}/sync: syncs the tenant that a user installed in the marketplace; the newest, when
 * there are several.
 *
 * @throws NotFound when the integration does not exist, or the user has no live tenant of it.
 * @throws InvalidRequest as `requestSync`.
 */
export function requestUserSync(
  platform: Platform,
  integrationId: number,
  userName: string,
  request: SyncRequest,
): TriggerRecord {
  requireIntegration(platform, integrationId);
  const tenant = platform.store.tenants.findLiveOfUser(integrationId, userName);
  if (!tenant) throw new NotFound(`No tenant of integration ${integrationId} belongs to user "${userName}"`);
  return requestSync(platform, tenant.id, request);
}

/** Stores a trigger that no run serves yet. */
export function addTrigger(
  { store, clock }: Platform,
  tenant: TenantRecord,
  { mode, body }: SyncRequest,
  source: TriggerSource,
): TriggerRecord {
  const id = store.triggers.nextId();
  const trigger: TriggerRecord = {
    id,
    trigger_id: String(id),
    tenant_id: tenant.id,
    mode,
    source,
    body,
    created_date: timestamp(clock),
    run_id: null,
  };
  store.triggers.write(trigger);
  return trigger;
}

/** How long triggers are debounced, from the first trigger on. */
export const debounceSeconds = 1;

function debounce({ store, clock }: Platform, tenantId: number): void {
  if (store.jobs.find("debounce", tenantId)) return;
  const dueAt = clock.now() + debounceSeconds * 1000;
  store.jobs.write({ kind: "debounce", subject: tenantId, dueAt, detail: null });
}

function requireReady(platform: Platform, tenant: TenantRecord): void {
  const { unconnectedSync, pausedSync } = platform.variants;
  if (pausedSync === "refuse" && tenant.paused !== false) {
    throw invalid(["path", "tenant_id"], `Tenant ${tenant.id} is paused`);
  }
  if (isConnected(platform, tenant)) return;
  if (unconnectedSync === "missing") throw new NotFound(`Tenant ${tenant.id} has no connected system`);
  if (unconnectedSync === "refuse") throw invalid(["path", "tenant_id"], `Tenant ${tenant.id} is not connected`);
}
