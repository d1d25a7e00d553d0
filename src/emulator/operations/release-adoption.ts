import { type ReleaseChannel, releaseChannelSchema } from "../entities/integration.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { resolveRelease } from "./release-choice.ts";

// The record of how many live tenants of each integration had which release, over time. The console shows it.

/** Records that a tenant came, moved to another release, or was archived or restored. `before` is undefined for a new one. */
export function recordTenantRelease(platform: Platform, before: TenantRecord | undefined, after: TenantRecord): void {
  if (before && selectors.every((field) => before[field] === after[field])) return;
  const left = placeOf(platform, before);
  const entered = placeOf(platform, after);
  if (left) add(platform, left.integrationId, left.releaseId, -1);
  if (entered) add(platform, entered.integrationId, entered.releaseId, 1);
}

/** Makes a change that may move a channel to another release, and records that the channel's tenants moved with it. */
export function recordChannelMoves<T>(platform: Platform, integrationId: number, change: () => T): T {
  const { store } = platform;
  return store.transaction(() => {
    const before = new Map(channels.map((channel) => [channel, releaseOf(platform, integrationId, channel)]));
    const result = change();
    for (const [channel, left] of before) {
      const entered = releaseOf(platform, integrationId, channel);
      if (left === entered) continue;
      const tenants = store.tenants.countLiveByChannel(integrationId, channel);
      add(platform, integrationId, left, -tenants);
      add(platform, integrationId, entered, tenants);
    }
    return result;
  });
}

/** Starts the record of a database that an older emulator wrote: with the tenants that there are. */
export function startAdoptionRecord(platform: Platform): void {
  const { store } = platform;
  if (!store.releaseAdoption.isEmpty()) return;
  store.transaction(() => {
    for (const id of store.integrations.ids()) {
      for (const tenant of store.tenants.listLive(id)) recordTenantRelease(platform, undefined, tenant);
    }
  });
}

const channels = releaseChannelSchema.options;

/** The fields that decide under what the record counts a tenant. */
const selectors = ["archived", "integration_id", "integration_release_id", "integration_release_channel"] as const;

/** What the record counts a tenant under; undefined for an archived one. */
function placeOf(platform: Platform, tenant: TenantRecord | undefined) {
  if (!tenant || tenant.archived) return undefined;
  const channel = releaseChannelSchema.safeParse(tenant.integration_release_channel).data;
  const integrationId = tenant.integration_id;
  const releaseId = channel ? releaseOf(platform, integrationId, channel) : tenant.integration_release_id;
  return { integrationId, releaseId };
}

function releaseOf(platform: Platform, integrationId: number, channel: ReleaseChannel): number | null {
  const choice = { integration_release_id: null, integration_release_channel: channel };
  return resolveRelease(platform, integrationId, choice)?.id ?? null;
}

function add({ store, clock }: Platform, integrationId: number, releaseId: number | null, change: number): void {
  if (change !== 0) store.releaseAdoption.add(integrationId, { at: clock.now(), releaseId, change });
}
