import type { failingShare } from "../../operation/tenant-runs.ts";
import type { TenantFields } from "../tenants/tenant-fields.ts";
import type { NextStep } from "./next-steps.ts";

/** The live tenants at one time. */
export interface FleetStatus {
  /** The platform's time, as far as it is believed: see `timeNow`. This machine's if the platform shows none. ISO 8601. */
  asOf: string;
  summary: Summary;
  tenants: ShownTenant[];
}

/** A tenant in the output. Of configs and metadata, JSON shows all but what looks like a secret. */
export type ShownTenant = Omit<TenantFields, "configs" | "metadata"> & {
  configs: object;
  metadata?: object | symbol;
  /** What must happen before it has a dynamic choice that its release requires. Absent if it lacks none. */
  nextStep?: NextStep;
  /** How many of its last runs failed. Absent if the platform does not list runs, or nobody asked for them. */
  recentRuns?: FailingShare;
};

/** How many of the last runs have ended, and how many of them failed. */
export type FailingShare = ReturnType<typeof failingShare>;

/** How many tenants are what. */
export interface Summary {
  tenants: number;
  connected: number;
  /** Not connected, though they were once, or it is not known whether they were. */
  disconnected: number;
  neverConnected: number;
  /** The platform does not show whether they are connected. */
  connectionUnknown: number;
  paused: number;
  failing: number;
  /** How many lack a dynamic choice that their release requires, and who must do something first. Absent if none does. */
  waiting?: { forCustomer: number; forInitSync: number };
  /** Their last runs together; absent if those of none are known. */
  recentRuns?: FailingShare;
  /** The releases by integration, the most frequent first. */
  releases: ReleaseCount[];
}

/** How many tenants of an integration run a release. */
export interface ReleaseCount {
  integration: string;
  integrationId: number;
  id: number | null;
  tag: string | null;
  /** The channel through which they have it; null if they are pinned to it. */
  channel: string | null;
  tenants: number;
}

/** Counts tenants. */
export function summaryOf(tenants: readonly ShownTenant[]): Summary {
  const count = (isCounted: (tenant: ShownTenant) => boolean) => tenants.filter(isCounted).length;
  const shares = tenants.flatMap(({ recentRuns }) => recentRuns ?? []);
  const sum = (numberOf: (share: FailingShare) => number) =>
    shares.reduce((total, share) => total + numberOf(share), 0);
  const forCustomer = count(({ nextStep }) => nextStep === "connect");
  const forInitSync = count(({ nextStep }) => nextStep === "init sync");
  const recentRuns = { runs: sum(({ runs }) => runs), failed: sum(({ failed }) => failed) };
  return {
    tenants: tenants.length,
    connected: count(({ connected }) => connected === true),
    disconnected: count(({ connected, neverConnected }) => connected === false && !neverConnected),
    neverConnected: count(({ neverConnected }) => neverConnected),
    connectionUnknown: count(({ connected }) => connected === null),
    paused: count(({ paused }) => paused),
    failing: count(({ failing }) => failing),
    ...(forCustomer + forInitSync === 0 ? {} : { waiting: { forCustomer, forInitSync } }),
    ...(shares.length === 0 ? {} : { recentRuns }),
    releases: releaseCounts(tenants),
  };
}

function releaseCounts(tenants: readonly ShownTenant[]): ReleaseCount[] {
  const groups = Map.groupBy(
    tenants,
    ({ integrationId, release: { id, channel } }) => `${integrationId} ${id} ${channel}`,
  );
  const counts = [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { integration, integrationId, release } = first;
    return [{ integration, integrationId, ...release, tenants: 1 + others.length }];
  });
  const byIntegration = (left: ReleaseCount, right: ReleaseCount) =>
    left.integration.localeCompare(right.integration, "en") || left.integrationId - right.integrationId;
  return counts.sort((left, right) => byIntegration(left, right) || right.tenants - left.tenants);
}
