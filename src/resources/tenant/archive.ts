import { ApiError, NotFoundError } from "../../api/index.ts";
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
  const integration = await integrationScope(platform, state.integrationId);
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
  for (let attempt = 1; ; attempt += 1) {
    const lostAnswer = await requestArchive(platform, id);
    if (await becomesAbsent(platform, () => tenants.isAbsent(id), lostAnswer !== undefined)) break;
    if (lostAnswer === undefined) {
      throw new Error(
        `tenant "${tenant.name}" (id ${id}): the platform answered DELETE /v2/tenants/${id} with success, ` +
          `but ${platform.settleSeconds} s later the tenant is still live. Look at it in the console, then try again`,
      );
    }
    if (attempt === attemptsMaximum) throw lostAnswer;
  }
  tenants.drop(id);
}

/** Returns the error where the answer was lost: to ask again does no harm here. */
async function requestArchive({ client }: Platform, id: number): Promise<ApiError | undefined> {
  try {
    await client.tenants.archive(id);
    return undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof ApiError && error.mayHaveBeenApplied) return error;
    throw error;
  }
}

async function becomesAbsent(
  { settleSeconds }: Platform,
  isAbsent: () => Promise<boolean>,
  isAnswerLost: boolean,
): Promise<boolean> {
  const patienceSeconds = isAnswerLost ? Math.min(2, settleSeconds) : settleSeconds;
  return poll({
    ask: isAbsent,
    isDone: (absent) => absent,
    deadlineSeconds: patienceSeconds,
    pauses: { first: 0.1, longest: 2 },
  });
}
