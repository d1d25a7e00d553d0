import type { Platform } from "../platform.ts";
import type { TenantCounts } from "../store/tenants.ts";
import { isConnectedForAll } from "./connection.ts";

/** How many of each record the platform has. */
export interface Totals {
  readonly integrations: number;
  readonly tenants: Omit<TenantCounts, "integration_id">;
  readonly runs: { readonly total: number; readonly running: number; readonly pending: number };
}

/** Counts the records that readers see now. Archived integrations are not counted. */
export function countTotals(platform: Platform): Totals {
  const { store } = platform;
  const counts = [...countTenantsByIntegration(platform).values()];
  const sum = (key: keyof Totals["tenants"]) => counts.reduce((total, one) => total + one[key], 0);
  return {
    integrations: store.integrations.count(),
    tenants: { archived: sum("archived"), live: sum("live"), paused: sum("paused"), connected: sum("connected") },
    runs: { total: store.runs.count(), running: store.runs.count("running"), pending: store.runs.count("pending") },
  };
}

/** The counts of tenants by the id of their integration. An integration without tenants is not in the map. */
export function countTenantsByIntegration({ store, clock }: Platform): ReadonlyMap<number, TenantCounts> {
  const counts = store.tenants.countByIntegration(clock.now()).map((found) => {
    const integration = store.integrations.find(found.integration_id);
    return isConnectedForAll(integration) ? { ...found, connected: found.live } : found;
  });
  return new Map(counts.map((found) => [found.integration_id, found]));
}
