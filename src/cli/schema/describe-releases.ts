import type { Release } from "../../api/index.ts";
import type { ReleaseAdditions } from "../../editor-schema/release-additions.ts";
import {
  type IntegrationToDescribe,
  type ReleaseToDescribe,
  releaseAdditions,
} from "../../editor-schema/release-additions.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { namedTenants } from "../../stack/declarations/named-tenant.ts";
import type { StackOfFile } from "../stack-file.ts";

/**
 * Reads the releases of all integrations that a stack names.
 *
 * @throws UnknownNameError if the platform has no such integration.
 */
export async function describeReleases(
  context: OperationContext,
  { declarations, settings }: StackOfFile,
): Promise<ReleaseAdditions> {
  const { standalone, fleets } = declarations;
  const { integration, release, adopt } = settings.tenantDefaults ?? {};
  const described = fleets.flatMap(({ fleet: { key, entry } }) =>
    entry.integration === undefined
      ? []
      : [
          {
            key,
            integration: entry.integration,
            release: entry.defaults?.release,
            adopt: entry.adopt,
            isChangedByGroups: areChangedBy(entry.groups),
          },
        ],
  );
  const named = [...standalone.flatMap(namedTenants), ...described].map((declared) => declared.integration);
  const scopes = new Map<number, IntegrationScope>();
  for (const nameOrId of new Set([...(integration === undefined ? [] : [integration]), ...named])) {
    const scope = await integrationScope(context, nameOrId);
    scopes.set(scope.id, scope);
  }
  const integrations = await Promise.all([...scopes.values()].map(describeIntegration));
  const defaults = { integration, release, adopt, isChangedByGroups: areChangedBy(settings.groups) };
  return releaseAdditions(integrations, { defaults, fleets: described }, context.warn);
}

/** Whether groups set what says which schemas their tenants must fit. */
function areChangedBy(groups: Readonly<Record<string, object>> = {}): boolean {
  return Object.values(groups).some((group) => ["integration", "release", "adopt"].some((key) => key in group));
}

async function describeIntegration({ id, record, releases }: IntegrationScope): Promise<IntegrationToDescribe> {
  const channels = await Promise.all(
    (["Latest", "Default"] as const).map(async (channel) => ({ channel, id: (await releases.ofChannel(channel))?.id })),
  );
  const describe = (release: Release): ReleaseToDescribe => ({
    id: release.id,
    tag: release.tag ?? undefined,
    channels: channels.filter((current) => current.id === release.id).map(({ channel }) => channel),
    configs: release.config_schema ?? undefined,
    metadata: release.metadata_schema ?? undefined,
  });
  return { id, name: record.name, releases: (await releases.all()).map(describe) };
}
