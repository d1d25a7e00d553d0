import { ApiError, type CreateTenant, type Tenant, TimeoutError } from "../../api/index.ts";
import type { IntegrationScope } from "../integration-scope.ts";
import type { Owner } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { poll } from "../poll.ts";
import { ownConnectors } from "./connection.ts";
import { noSchedule } from "./schedule.ts";
import type { Desired } from "./settings.ts";
import { takeOver } from "./take-over.ts";

const attemptsMaximum = 3;

/**
 * Asks for a new tenant. Where the answer is lost, lists the tenants until a write must show. There are never two tenants for
 * one resource: a second POST goes out only after a list that shows a later POST of this operation and not this one.
 */
export async function makeTenant(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  desired: Desired,
): Promise<Tenant> {
  const body = createBody(integration, desired);
  for (let attempt = 1; ; attempt += 1) {
    const begunAt = performance.now();
    try {
      const tenant = await platform.client.tenants.create(body);
      integration.tenants.created(tenant, begunAt);
      // a new tenant is unconnected (specification, States and transitions): these words say so
      for (const { status } of ownConnectors(tenant, integration.record))
        integration.connectorWords.ofNewTenants.add(status);
      return tenant;
    } catch (error) {
      if (!(error instanceof ApiError) || !error.mayHaveBeenApplied) throw error;
      const { made, isNotMade } = await look(platform, integration, owner, desired, error);
      if (made !== undefined) return made;
      if (!isNotMade) throw notShown(error, desired, platform.settleSeconds);
      if (attempt === attemptsMaximum) throw error;
    }
  }
}

function createBody(integration: IntegrationScope, { settings, release }: Desired): CreateTenant {
  const { name, schedule, configs } = settings;
  return {
    name,
    integration_id: integration.id,
    ...(schedule === undefined || schedule === noSchedule ? {} : { user_schedule: schedule }),
    ...(release === undefined
      ? {}
      : "id" in release
        ? { integration_release_id: release.id }
        : { integration_release_channel: release.channel }),
    ...(configs === undefined ? {} : { configs }),
  };
}

/** Lists until the tenant is there, a later POST of this operation is there without it, or a write must show. */
async function look(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  desired: Desired,
  error: ApiError,
) {
  const lostAt = performance.now();
  const mayBeUnderWay = error instanceof TimeoutError; // a list proves nothing of what the platform is still working on
  const { name } = desired.settings;
  return poll({
    ask: async () => {
      const { tenants, showsLaterPost } = await integration.tenants.observeLost(name, lostAt);
      const made = await ownAmong(platform, integration, owner, desired, tenants);
      return { made, isNotMade: made === undefined && showsLaterPost && !mayBeUnderWay };
    },
    isDone: ({ made, isNotMade }) => made !== undefined || isNotMade,
    deadlineSeconds: platform.settleSeconds,
    pauses: { first: 0.25, longest: 2 },
  });
}

/** The tenant that the POST would have made. Throws where another one bears the name. */
async function ownAmong(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  desired: Desired,
  named: readonly Tenant[],
): Promise<Tenant | undefined> {
  const { name } = desired.settings;
  const live = named.filter(({ id }) => platform.ownership.holdersOf(id).length === 0);
  const decision = await takeOver(platform, integration, { owner, inputs: { name }, desired, live });
  if (decision.kind === "refuse") throw new Error(decision.failure);
  return decision.kind === "take over" ? decision.tenant : undefined;
}

function notShown(error: ApiError, { settings }: Desired, seconds: number): Error {
  return new Error(
    `${error.message} No list of the next ${seconds} s shows a tenant named "${settings.name}"; it may still have been made. ` +
      "Run up again: it looks for the tenant before it makes one",
    { cause: error },
  );
}
