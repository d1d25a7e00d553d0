import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { describeLoan, isOver, loanIn, runsTried } from "../../operation/loan.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { type ReleaseSelector, type ResolvedRelease, release as releaseSetting } from "../../settings/release.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";

/** A tenant as the lifecycle is to see it, and an integration whose reads show it so too. */
export interface SeenTenant {
  tenant: Tenant;
  integration: IntegrationScope;
}

/**
 * A tenant with the release that it had before `integration-platform try` lent it, so that the release that is tried is no drift and
 * no `up` moves the tenant back. The metadata is read only of a tenant that does not run what its state says.
 *
 * @param known the release in the state; nothing is done if none is managed.
 */
export async function withFormerRelease(
  context: OperationContext,
  integration: IntegrationScope,
  tenant: Tenant,
  known: ReleaseSelector | undefined,
): Promise<SeenTenant> {
  const asIs = { tenant, integration };
  if (known === undefined || (await runsKnown(integration, tenant, known))) return asIs;
  const loan = loanIn((await readMetadata(context, integration.tenants, tenant.id)) ?? {});
  if (loan === undefined || !runsTried(tenant, loan)) return asIs;
  const who = `tenant "${tenant.name}" (id ${tenant.id})`;
  if (isOver(loan, timeNow(context.client))) {
    context.warn(
      `${who} was lent to ${describeLoan(loan)} and not put back. integration-platform try --restore does so`,
    );
    return asIs;
  }
  context.note(
    `${who} is lent to ${describeLoan(loan)}: until then, the release ${loan.release} that it runs is no drift`,
  );
  const shown = (seen: Tenant) => (seen.id === tenant.id && runsTried(seen, loan) ? { ...seen, ...loan.before } : seen);
  const { tenants } = integration;
  const fetchFresh = async (id: number) => {
    const fresh = await tenants.fetchFresh(id);
    return fresh === undefined ? undefined : shown(fresh);
  };
  return { tenant: shown(tenant), integration: { ...integration, tenants: { ...tenants, fetchFresh } } };
}

/** Whether a tenant runs a release or follows a channel. */
export function runsIt(tenant: Tenant, release: ResolvedRelease): boolean {
  const { integration_release_id: id, integration_release_channel: channel } = tenant;
  return "channel" in release ? channel === release.channel : !channel && id === release.id;
}

/** Whether a tenant runs what its state says, or the platform does not show which release it runs. */
async function runsKnown({ releases }: IntegrationScope, tenant: Tenant, known: ReleaseSelector): Promise<boolean> {
  if (typeof tenant.integration_release_id !== "number") return true; // `try` gives a tenant a release by its id
  if (known.channel !== undefined && tenant.integration_release_channel === undefined) return true;
  const resolved = await orUnknownName(Promise.resolve(releaseSetting.resolve?.(known, releases)));
  return resolved === undefined || resolved instanceof UnknownNameError ? false : runsIt(tenant, resolved);
}
