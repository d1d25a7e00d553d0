import type { IntegrationRecord } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";

/** How a tenant selects its release: by an id, by a channel, or not at all. */
export type ReleaseChoice = Pick<TenantRecord, "integration_release_id" | "integration_release_channel">;

/** The release that is selected now; undefined when there is none. */
export function resolveRelease(
  platform: Platform,
  integrationId: number,
  choice: ReleaseChoice,
): ReleaseRecord | undefined {
  const { store } = platform;
  if (choice.integration_release_channel === "Latest") return store.releases.findLatest(integrationId);
  if (choice.integration_release_channel === "Default") {
    const integration = store.integrations.find(integrationId);
    return integration && defaultRelease(platform, integration);
  }
  if (choice.integration_release_id === null) return undefined;
  return store.releases.find(choice.integration_release_id);
}

/** The default release of an integration: by its default id, else the latest when its default channel is Latest. */
export function defaultRelease({ store }: Platform, integration: IntegrationRecord): ReleaseRecord | undefined {
  if (integration.default_release_id !== null) return store.releases.find(integration.default_release_id);
  if (integration.default_release_channel === "Latest") return store.releases.findLatest(integration.id);
  return undefined;
}
