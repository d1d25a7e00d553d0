import type { OperationContext } from "../../operation/operation-context.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { syncTriggerLifecycle } from "../sync-trigger/lifecycle.ts";
import type { SyncTriggerInputs, SyncTriggerState } from "../sync-trigger/schema.ts";
import type { NewTenants } from "../tenant/create.ts";
import { type TenantLifecycle, tenantLifecycle } from "../tenant/lifecycle.ts";

/** The lifecycles that a fleet uses. */
export interface FleetLifecycles {
  tenant: TenantLifecycle;
  sync: Lifecycle<SyncTriggerInputs, SyncTriggerState>;
  /**
   * The lifecycle that checks and creates the tenant of a key. A tenant of a rollout declares no release, so `tenant` would
   * create it on the integration's default release, which may not be what the other tenants of the rollout run.
   */
  creating(key: string): TenantLifecycle;
  /**
   * The same lifecycles, except that the new tenants of a rollout are checked and created on its releases: while it is under
   * way, on the release from before it, so that a wave moves them like the others; otherwise on its target.
   *
   * @param keys the keys of the tenants that belong to the rollout.
   */
  withNewTenants(keys: ReadonlySet<string>, newTenants: NewTenants): FleetLifecycles;
}

export function fleetLifecycles(context: OperationContext): FleetLifecycles {
  const kind = "TenantFleet";
  const tenant = tenantLifecycle(context, kind);
  const lifecycles: FleetLifecycles = {
    tenant,
    sync: syncTriggerLifecycle(context),
    creating: () => tenant,
    withNewTenants: (keys, newTenants) => {
      const creator = tenantLifecycle(context, kind, newTenants);
      return { ...lifecycles, creating: (key) => (keys.has(key) ? creator : tenant) };
    },
  };
  return lifecycles;
}
