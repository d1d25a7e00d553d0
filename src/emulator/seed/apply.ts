import { addIntegration, addRelease } from "../operations/console-integrations.ts";
import { addTenant } from "../operations/console-tenants.ts";
import { changeSettings } from "../operations/settings.ts";
import type { Platform } from "../platform.ts";
import { pathText } from "./read.ts";
import type { ParsedSeed } from "./schema.ts";

/**
 * Puts a seed into the platform; all of it or, when something in it does not fit together, nothing.
 *
 * @param clearFirst whether everything else is removed; otherwise the seed is put only into an empty platform.
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
    putIntegrations(platform, seed);
    seed.tenants.forEach((tenant, index) => {
      at(["tenants", index], () => addTenant(platform, tenant, "seed"));
    });
  });
}

function putIntegrations(platform: Platform, seed: ParsedSeed): void {
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
  throw new Error(`default_release_id ${releaseId} is not among its releases`);
}

function at(path: readonly (string | number)[], work: () => unknown): void {
  try {
    work();
  } catch (cause) {
    throw new Error(`${pathText(path)}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
