import type { Tenant } from "../api/index.ts";
import type { Snapshot } from "../snapshot/index.ts";
import { wait } from "./poll.ts";

/** The tenants of all integrations, in lists that show what was written before the operation. */
export interface SettledTenants {
  live: ReadonlyMap<number, Tenant>;
  archived: ReadonlyMap<number, Tenant>;
}

/** Reads all tenants, live and archived, after the consistency timeout. */
export async function readSettledTenants({
  snapshot,
  consistencyTimeoutSeconds,
  signal,
}: {
  snapshot: Snapshot;
  consistencyTimeoutSeconds: number;
  signal: AbortSignal;
}): Promise<SettledTenants> {
  await wait(consistencyTimeoutSeconds * 1000, signal);
  const everyone = snapshot.tenantsOf();
  const [live, archived] = await Promise.all([everyone.fetchFreshAll(), everyone.fetchFreshArchived()]);
  return { live, archived };
}
