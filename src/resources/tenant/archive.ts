import { ApiError, NotFoundError } from "../../api/index.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { integrationScope } from "../integration-scope.ts";
import type { Platform } from "../platform.ts";
import { poll } from "../poll.ts";
import { connectionOf } from "./connection.ts";
import type { TenantState } from "./schema.ts";

const attemptsMaximum = 3;

/**
 * Archives a tenant; one that is archived already, or gone, is done. There is no way back in the API, so a tenant that a
 * customer has connected is refused unless its last `up` said `forceArchive: true`.
 */
export async function archiveTenant(platform: Platform, id: number, state: TenantState): Promise<void> {
  const integration = await orUnknownName(integrationScope(platform, state.integrationId));
  if (integration instanceof UnknownNameError) {
    if ((await platform.snapshot.tenantsOf().observe(id)) === undefined) return; // it went with its integration
    throw integration;
  }
  const { tenants } = integration;
  const tenant = await tenants.observe(id);
  if (tenant === undefined) return;
  const { isConnected, reason } = connectionOf(tenant, integration);
  if (isConnected && state.forceArchive !== true) {
    throw new Error(
      `tenant "${tenant.name}" (id ${id}) is connected, as far as the platform tells: ${reason}. ` +
        "To archive a connected tenant cuts its customer off, and the API has no way back. " +
        "If that is meant, set forceArchive: true, run up, and then remove it. To keep the tenant and only stop managing it, " +
        'set onRemove: "forget" likewise',
    );
  }
  const lostAnswer = await requestArchive(platform, id);
  if (!(await becomesAbsent(platform, () => tenants.isAbsent(id)))) {
    if (lostAnswer !== undefined) throw lostAnswer;
    throw new Error(
      `tenant "${tenant.name}" (id ${id}): the platform answered DELETE /v2/tenants/${id} with success, ` +
        `but ${platform.settleSeconds} s later the tenant is still live. Look at it in the console, then try again`,
    );
  }
  tenants.drop(id);
}

/** Asks again at once where the answer is lost, as that does no harm here. Returns the error where the last one was. */
async function requestArchive({ client }: Platform, id: number): Promise<ApiError | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.tenants.archive(id);
      return undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      if (!(error instanceof ApiError) || !error.mayHaveBeenApplied) throw error;
      if (attempt === attemptsMaximum) return error;
    }
  }
}

async function becomesAbsent({ settleSeconds }: Platform, isAbsent: () => Promise<boolean>): Promise<boolean> {
  return poll({
    ask: isAbsent,
    isDone: (absent) => absent,
    deadlineSeconds: settleSeconds,
    pauses: { first: 0.1, longest: 2 },
  });
}
