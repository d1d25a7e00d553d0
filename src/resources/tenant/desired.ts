import type { JsonObject, Tenant } from "../../api/index.ts";
import type { KeyPath } from "../declared-keys.ts";
import type { IntegrationScope } from "../integration-scope.ts";
import type { Platform } from "../platform.ts";
import { type ResolvedRelease, releaseToRun, resolveRelease } from "./release.ts";
import type { TenantInputs } from "./schema.ts";
import { type Desired, type Settings, settingsOf } from "./settings.ts";

/**
 * What a tenant is to become by its inputs.
 *
 * @param before the settings as last stored; none for a new resource.
 * @param tenant the tenant as it is; none for a new one.
 * @param unreadablePaths of the state; none for a new resource, of which nothing was written yet.
 */
export async function desiredOf(
  platform: Platform,
  integration: IntegrationScope,
  inputs: TenantInputs,
  before: Partial<Settings> = {},
  tenant?: Tenant,
  unreadablePaths?: readonly KeyPath[],
): Promise<Desired> {
  const release = inputs.release && (await resolveRelease(integration.releases, inputs.release));
  return {
    settings: settingsOf(inputs),
    release,
    removed: {
      configs: removedKeys(before.configs, inputs.configs),
      metadata: removedKeys(before.metadata, inputs.metadata),
    },
    lastKnown: before,
    lastWrite: unreadablePaths && { settings: before, unreadablePaths },
    schemas: await schemasOf(platform, integration, release, tenant),
  };
}

/** The schemas of the release that a tenant runs, or is to run. */
export async function schemasOf(
  platform: Platform,
  integration: IntegrationScope,
  declared: ResolvedRelease | undefined,
  tenant?: Tenant,
): Promise<Desired["schemas"]> {
  const release = await releaseToRun(integration.releases, integration.record, declared, tenant);
  return { configs: platform.configSchemaOf(release), metadata: platform.metadataSchemaOf(release) };
}

/** Keys that were declared and no longer are. */
export function removedKeys(before: JsonObject | undefined, now: JsonObject | undefined) {
  return Object.keys(before ?? {}).filter((key) => !Object.hasOwn(now ?? {}, key));
}
