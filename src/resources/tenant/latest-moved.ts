import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";

/** The release that a tenant on the channel `Latest` runs now: its tag, or its id; `undefined` for all other tenants. */
export async function latestOf(
  { releases }: Pick<IntegrationScope, "releases">,
  { integration_release_channel: channel }: Pick<Tenant, "integration_release_channel">,
): Promise<string | undefined> {
  if (channel !== "Latest") return undefined;
  const release = await releases.ofChannel(channel).catch(() => undefined); // no operation fails for the sake of a note
  return release && (release.tag || String(release.id));
}

/**
 * Tells the user that `Latest` has moved since `up` last wrote a tenant that follows it: a push to the tracking branch makes a
 * release, and the tenant runs it without an `up`. The message is the same for all tenants of the integration.
 *
 * @param before what {@link latestOf} was then.
 */
export async function noteMovedLatest(
  { note }: Pick<OperationContext, "note">,
  integration: IntegrationScope,
  tenant: Tenant | undefined,
  before: string | undefined,
): Promise<void> {
  const now = before === undefined || tenant === undefined ? undefined : await latestOf(integration, tenant);
  if (now === undefined || now === before) return;
  note(
    `the channel Latest of integration "${integration.record.name}" has moved from ${before} to ${now} since up last wrote tenants ` +
      `that follow it: they run ${now}`,
  );
}
