import { type Client, type ListTenantsQuery, NotFoundError, type Tenant, ValidationError } from "../../api/index.ts";
import { createPages } from "../../api/pages.ts";
import { once } from "../../snapshot/once.ts";
import type { PlatformEvent } from "../events/index.ts";
import type { ConsumePorts } from "./consume.ts";

/** How an event is verified. */
export interface VerificationOptions {
  /** Creates the client of the platform. Called once, and only if an event must be verified. */
  readonly connect: () => Promise<Client>;
  /** How long the platform's lists may lag behind a webhook, in seconds. Default 900. */
  readonly graceSeconds?: number | undefined;
  /** The current time in milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
}

/**
 * Verifies events with the platform's lists of tenants, and with single integrations. It reads each list at most once, and
 * therefore serves for one batch only: a later event may be about a later tenant.
 *
 * The platform has no request for a single tenant, and none for a run.
 */
export function verifyOnPlatform(options: VerificationOptions): NonNullable<ConsumePorts["verify"]> {
  const { graceSeconds = 900, now = Date.now } = options;
  const isShown = createIsShown(once(options.connect));
  return async (event, receivedAt) => {
    // The event names no tenant, now or later.
    if (event.event_type === "run_failed" && event.tenant_id === undefined) return "unverified";
    if (await isShown(event)) return "verified";
    return Date.parse(receivedAt) + graceSeconds * 1000 > now() ? "not yet" : "unverified";
  };
}

function createIsShown(client: () => Promise<Client>): (event: PlatformEvent) => Promise<boolean> {
  const live = once(async () => listTenants(await client(), {}));
  const archived = once(async () => listTenants(await client(), { archived: true }));
  const hasTenant = async (id: number) => (await live()).has(id) || (await archived()).has(id);
  const isArchived = async (id: number) => {
    const tenant = (await archived()).get(id);
    // This list may also show live tenants. If it does not tell them apart, the list of live ones does.
    return tenant !== undefined && (tenant.archived ?? !(await live()).has(id));
  };

  return async (event) => {
    switch (event.event_type) {
      case "new_integration_created":
      case "partner_integration_updated":
        return hasIntegration(await client(), event.integration_id);
      case "tenant_archived":
        return isArchived(event.tenant_id);
      case "new_tenant_created":
        return hasTenant(event.tenant_id);
      case "run_failed":
        return event.tenant_id !== undefined && hasTenant(event.tenant_id);
      default:
        event satisfies never; // a new event needs a case of its own
        return false;
    }
  };
}

function listTenants(client: Client, query: ListTenantsQuery): Promise<Map<number, Tenant>> {
  return createPages((page: ListTenantsQuery) => client.tenants.listPage(page)).read(query);
}

async function hasIntegration(client: Client, id: number): Promise<boolean> {
  try {
    await client.integrations.get(id);
    return true;
  } catch (error) {
    // The id of a forged event may be one that the platform rejects.
    if (error instanceof NotFoundError || error instanceof ValidationError) return false;
    throw error;
  }
}
