import { ApiError, NotFoundError } from "../../api/index.ts";
import { whileBusy } from "../../operation/busy.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { poll } from "../../operation/poll.ts";
import { requireGone } from "../../operation/require-gone.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { archiveRefusal, forceHint } from "./archive-refusal.ts";
import type { TenantState } from "./schema.ts";

const attemptsMaximum = 3;

/**
 * Archives a tenant. Does nothing if it is already archived. The API cannot undo this, so archiving a tenant that
 * a customer has connected is an error, unless the state has `forceArchive: true`.
 */
export async function archiveTenant(context: OperationContext, id: number, state: TenantState): Promise<void> {
  const integration = await orUnknownName(integrationScope(context, state.integrationId));
  if (integration instanceof UnknownNameError) return requireGone(context, id, integration);
  const { tenants } = integration;
  const tenant = await tenants.fetchFresh(id);
  if (tenant === undefined) return requireGone(context, id, integration);
  const refusal = archiveRefusal(tenant, integration, state);
  if (refusal !== undefined) {
    throw new Error(
      `tenant "${tenant.name}" (id ${id}) is connected or may be: ${refusal}. ` +
        `Archiving a connected tenant disconnects its customer, and the API cannot undo it. ${forceHint}. ` +
        "To keep the tenant and only stop managing it, " +
        "set retainOnDelete: true (a resource option of Tenant, a setting in YAML and in fleets), run up, and then remove it",
    );
  }
  tenants.willArchive(id);
  const doubt = await requestArchive(context, id);
  if (!(await becomesAbsent(context, () => tenants.isAbsent(id)))) {
    if (doubt !== undefined) throw doubt;
    throw new Error(
      `tenant "${tenant.name}" (id ${id}): the platform answered DELETE /v2/tenants/${id} with success, ` +
        `but ${context.consistencyTimeoutSeconds} s later the tenant is still live. Check it in the console, then run the command again`,
    );
  }
  tenants.delete(id);
  context.ownership.findGone(id); // the replacement may have this id in adopt
}

/**
 * Sends the DELETE, again after a lost response, as it is idempotent. Returns the error if the last response was lost, or if the
 * platform does not know the tenant, which is good news only once the list does not have it either.
 */
async function requestArchive(context: OperationContext, id: number): Promise<ApiError | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // a 409 is a refusal here, as the run does not matter any more
      await whileBusy(context, { what: `tenant ${id}`, mayRun: false }, () => context.client.tenants.archive(id));
      return undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return error;
      if (!(error instanceof ApiError) || !error.mayHaveBeenApplied) throw error;
      if (attempt === attemptsMaximum) return error;
    }
  }
}

async function becomesAbsent(
  { consistencyTimeoutSeconds, signal }: OperationContext,
  isAbsent: () => Promise<boolean>,
): Promise<boolean> {
  return poll({
    ask: isAbsent,
    isDone: (absent) => absent,
    deadlineSeconds: consistencyTimeoutSeconds,
    pauses: { first: 0.1, longest: 2 },
    signal,
  });
}
