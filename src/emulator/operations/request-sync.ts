import { randomUUID } from "node:crypto";
import { timestamp } from "../clock.ts";
import type { JsonObject } from "../entities/json.ts";
import type { RunMode, TriggerRecord, TriggerSource } from "../entities/run.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { invalid, NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";
import { isConnected } from "./connection.ts";
import { requireIntegration, requireTenant } from "./find.ts";

/** What a sync is asked for with. */
export interface SyncRequest {
  readonly mode: RunMode;
  /** Handed to the integration, which makes of it what it likes. */
  readonly body: JsonObject | null;
}

/**
 * POST /v2/tenants/{tenant_id}/sync. The trigger is debounced: its run begins a second after the first trigger that
 * has none yet, for all that have come by then.
 *
 * @throws NotFound for an archived tenant too.
 * @throws InvalidRequest where unconnected or paused tenants refuse; see the variants `unconnectedSync`, `pausedSync`.
 */
export function requestSync(
  platform: Platform,
  tenantId: number,
  request: SyncRequest,
  source: TriggerSource = "api",
): TriggerRecord {
  const tenant = requireTenant(platform, tenantId);
  requireReady(platform, tenant);
  return platform.store.transaction(() => {
    const trigger = addTrigger(platform, tenant, request, source);
    debounce(platform, tenant.id);
    return trigger;
  });
}

/**
 * POST /v2/integrations/{integration_id}/sync: of the tenant that this user installed in the marketplace; of several,
 * the newest.
 *
 * @throws NotFound when there is no such integration, or the user has no live tenant of it.
 * @throws InvalidRequest as for a tenant.
 */
export function requestUserSync(
  platform: Platform,
  integrationId: number,
  userName: string,
  request: SyncRequest,
): TriggerRecord {
  requireIntegration(platform, integrationId);
  const newestFirst = { sort: { field: "id", direction: "DESC" }, limit: 1, skip: 0 } as const;
  const [tenant] = platform.store.tenants.list(
    { ...newestFirst, archived: false, integrationId, userName },
    platform.clock.now(),
  );
  if (!tenant) throw new NotFound(`No tenant of integration ${integrationId} belongs to user "${userName}"`);
  return requestSync(platform, tenant.id, request);
}

/** A trigger without a run. */
export function addTrigger(
  { store, clock }: Platform,
  tenant: TenantRecord,
  { mode, body }: SyncRequest,
  source: TriggerSource,
): TriggerRecord {
  const trigger: TriggerRecord = {
    id: store.triggers.nextId(),
    trigger_id: randomUUID(),
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

/** How long triggers are gathered, from the first on, before they have a run. */
export const debounceSeconds = 1;

function debounce({ store, clock }: Platform, tenantId: number): void {
  if (store.agenda.find("debounce", tenantId)) return;
  const dueAt = clock.now() + debounceSeconds * 1000;
  store.agenda.put({ kind: "debounce", subject: tenantId, dueAt, detail: null });
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
