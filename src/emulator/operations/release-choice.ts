import { z } from "zod";
import { type IntegrationRecord, releaseChannelSchema } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { invalid } from "../rules/problems.ts";

/** The fields with which a request selects a release: by its id, or by a channel. */
export const releaseRequestShape = {
  integration_release_id: z.int().nullish(),
  integration_release_channel: releaseChannelSchema.nullish(),
};
const releaseRequestSchema = z.object(releaseRequestShape);
type ReleaseRequest = z.infer<typeof releaseRequestSchema>;

/**
 * The release of a new tenant: that of the request, else the integration's default channel, else its default id.
 *
 * @throws InvalidRequest when the request has both an id and a channel, or the release belongs to another integration.
 */
export function chooseFirstRelease(
  platform: Platform,
  integration: IntegrationRecord,
  request: ReleaseRequest,
): ReleaseChoice {
  const requested = requestedRelease(platform, integration.id, request);
  if (requested) return requested;
  const channel = integration.default_release_channel;
  return {
    integration_release_channel: channel,
    integration_release_id: channel === null ? integration.default_release_id : null,
  };
}

/**
 * The release of a tenant after a PATCH. An id clears the channel, and a channel clears the id. A null beside a value is
 * ignored. A PATCH that only clears the channel leaves the tenant on the release that the channel selected.
 *
 * @throws InvalidRequest as for a new tenant.
 */
export function chooseNextRelease(platform: Platform, tenant: TenantRecord, request: ReleaseRequest): ReleaseChoice {
  const { integration_release_id: id, integration_release_channel: channel } = request;
  if (platform.variants.releaseAndChannel === "refuse" && id !== undefined && channel !== undefined) {
    throw invalid(["body", "integration_release_channel"], "pass a release ID or a channel, not both");
  }
  const requested = requestedRelease(platform, tenant.integration_id, request);
  if (requested) return requested;
  if (id === null && (channel === null || tenant.integration_release_channel === null)) return noRelease;
  if (channel === null && tenant.integration_release_channel !== null) {
    const resolved = resolveRelease(platform, tenant.integration_id, tenant);
    return { integration_release_id: resolved?.id ?? null, integration_release_channel: null };
  }
  return tenant;
}

const noRelease: ReleaseChoice = { integration_release_id: null, integration_release_channel: null };

function requestedRelease(
  platform: Platform,
  integrationId: number,
  request: ReleaseRequest,
): ReleaseChoice | undefined {
  const id = request.integration_release_id ?? null;
  const channel = request.integration_release_channel ?? null;
  if (id !== null && channel !== null) {
    throw invalid(["body", "integration_release_channel"], "pass a release ID or a channel, not both");
  }
  if (id === null && channel === null) return undefined;
  if (id !== null && platform.store.releases.find(id)?.integration_id !== integrationId) {
    throw invalid(["body", "integration_release_id"], `${id} is not a release of integration ${integrationId}`, id);
  }
  return { integration_release_id: id, integration_release_channel: channel };
}

/** How a tenant selects its release: by an id, by a channel, or not at all. */
type ReleaseChoice = Pick<TenantRecord, "integration_release_id" | "integration_release_channel">;

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
