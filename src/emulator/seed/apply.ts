import type { ParsedSeed } from "../entities/seed.ts";
import { addIntegration, addRelease } from "../operations/administer-integrations.ts";
import { addTenant } from "../operations/administer-tenants.ts";
import { changeSettings } from "../operations/change-settings.ts";
import type { Platform } from "../platform.ts";
import { pathText } from "./read.ts";

/**
 * Adds the records of a seed to the platform: all of them, or none when one is not consistent with the others.
 *
 * @param options.clearFirst whether to remove all other records first. Otherwise the seed is added only to an empty
 * platform.
 * @throws Error that names the place in the seed.
 */
export function applySeed(
  platform: Platform,
  seed: ParsedSeed,
  { clearFirst }: { readonly clearFirst: boolean },
): void {
  platform.store.transaction(() => {
    if (clearFirst) platform.store.clear();
    if (!platform.store.isEmpty()) return;
    if (seed.settings) at(["settings"], () => changeSettings(platform, seed.settings ?? {}));
    addIntegrations(platform, seed);
    seed.tenants.forEach((tenant, index) => {
      at(["tenants", index], () => addTenant(platform, tenant, "seed"));
    });
  });
}

function addIntegrations(platform: Platform, seed: ParsedSeed): void {
  seed.integrations.forEach(({ releases, ...integration }, index) => {
    at(["integrations", index], () => {
      const { id } = addIntegration(platform, integration, "seed");
      releases.forEach((release, releaseIndex) => {
        at(["releases", releaseIndex], () => addRelease(platform, id, release));
      });
      requireDefaultRelease(platform, id);
    });
  });
}

function requireDefaultRelease({ store }: Platform, integrationId: number): void {
  const releaseId = store.integrations.find(integrationId)?.default_release_id ?? null;
  if (releaseId === null || store.releases.find(releaseId)?.integration_id === integrationId) return;
  throw new Error(`default_release_id ${releaseId} is not one of the integration's releases`);
}

function at(path: readonly (string | number)[], work: () => unknown): void {
  try {
    work();
  } catch (cause) {
    throw new Error(`${pathText(path)}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
