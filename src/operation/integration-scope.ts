import type { Integration } from "../api/index.ts";
import type { PlatformAnswers } from "../platform-profile/questions.ts";
import type { Releases, TenantDirectory } from "../snapshot/index.ts";
import type { OperationContext } from "./operation-context.ts";
import type { RunWords } from "./run-outcome.ts";
import type { ConnectorWords } from "./tenant-connection.ts";

/** An integration with its releases and tenants. */
export interface IntegrationScope {
  id: number;
  record: Integration;
  releases: Releases;
  tenants: TenantDirectory;
  /** The meaning of the words for a connector's status. */
  connectorWords: ConnectorWords;
  /** The meaning of the words for the status of a run. */
  runWords: RunWords;
  /** What the profile of the platform says. */
  platform: PlatformAnswers;
}

/**
 * Finds an integration by name or id. A warning says if it is archived.
 *
 * @throws UnknownNameError if it does not exist.
 */
export async function integrationScope(
  context: OperationContext,
  nameOrId: string | number,
): Promise<IntegrationScope> {
  const record = await context.snapshot.integrations.find(nameOrId);
  const isLive = (await context.snapshot.integrations.all()).some(({ id }) => id === record.id);
  if (!isLive) context.warn(`integration "${record.name}" (${record.id}) is archived`);
  return scopeOf(context, record);
}

/** The scope of an integration that has been listed. */
export function scopeOf(
  { snapshot, connectorWords, runWords, platform }: OperationContext,
  record: Integration,
): IntegrationScope {
  const { id } = record;
  return {
    id,
    record,
    releases: snapshot.releasesOf(id),
    tenants: snapshot.tenantsOf(id),
    connectorWords,
    runWords,
    platform,
  };
}
