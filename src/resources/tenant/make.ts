import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type CreateTenant, type Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../integration-scope.ts";
import type { Owner } from "../ownership.ts";
import type { Platform } from "../platform.ts";
import { ownConnectors } from "./connection.ts";
import { noSchedule } from "./schedule.ts";
import type { Desired } from "./settings.ts";
import { takeOver } from "./take-over.ts";

const attemptsMaximum = 3;
/** Pauses before each look for a tenant whose POST was not answered, in seconds: the list may lag behind. */
const lookPausesSeconds = [0, 0.5, 1, 2];

/**
 * Asks for a new tenant. Where the answer is lost, looks whether the tenant has come to be before it asks again: there
 * are never two for one resource.
 */
export async function makeTenant(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  desired: Desired,
): Promise<Tenant> {
  const body = createBody(integration, desired);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const tenant = await platform.client.tenants.create(body);
      integration.tenants.put(tenant);
      // a new tenant is unconnected (specification, States and transitions): these words say so
      for (const { status } of ownConnectors(tenant, integration.record))
        integration.connectorWords.ofNewTenants.add(status);
      return tenant;
    } catch (error) {
      if (!(error instanceof ApiError) || !error.mayHaveBeenApplied) throw error;
      const made = await look(platform, integration, owner, desired);
      if (made !== undefined) return made;
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

async function look(
  platform: Platform,
  integration: IntegrationScope,
  owner: Owner,
  desired: Desired,
): Promise<Tenant | undefined> {
  const { name } = desired.settings;
  for (const seconds of lookPausesSeconds) {
    await sleep(seconds * 1000);
    const isFree = ({ id }: Tenant) => platform.ownership.holdersOf(id).length === 0;
    const live = (await integration.tenants.observeNamed(name)).filter(isFree);
    const decision = await takeOver(platform, integration, { owner, inputs: { name }, desired, live });
    if (decision.kind === "take over") return decision.tenant;
    if (decision.kind === "refuse") throw new Error(decision.failure);
  }
  return undefined;
}
