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
  /** The lifecycle that checks and creates the tenant of a key. */
  creating(key: string): TenantLifecycle;
  /** The same lifecycles, except that the tenants of these keys are checked and created on another release. */
  withNewTenants(keys: ReadonlySet<string>, newTenants: NewTenants): FleetLifecycles;
}

export function fleetLifecycles(context: OperationContext): FleetLifecycles {
  const kind = "TenantFleet";
  const tenant = tenantLifecycle(context, kind);
  const one: FleetLifecycles = {
    tenant,
    sync: syncTriggerLifecycle(context),
    creating: () => tenant,
    withNewTenants: (keys, newTenants) => {
      const creator = tenantLifecycle(context, kind, newTenants);
      return { ...one, creating: (key) => (keys.has(key) ? creator : tenant) };
    },
  };
  return one;
}
