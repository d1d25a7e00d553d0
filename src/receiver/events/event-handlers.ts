import type { ReconciledTenantArchived, ReconciledTenantCreated } from "./delivery.ts";
import { type Delivery, deliveredEventSchema, deliverySchema } from "./delivery.ts";
import type {
  IntegrationCreated,
  PartnerIntegrationUpdated,
  RunFailed,
  TenantArchived,
  TenantCreated,
} from "./payloads.ts";

/**
 * What to do about each event. An event may come more than once, with the same `delivery.ingestId`, and events may come
 * in another order than they happened in. What a handler throws makes the invocation fail, and Lambda repeats it.
 */
export interface EventHandlers {
  readonly onIntegrationCreated?: ((event: IntegrationCreated, delivery: Delivery) => unknown) | undefined;
  /** A reconciled event lacks what the platform's list of tenants does not tell. */
  readonly onTenantCreated?:
    | ((event: TenantCreated | ReconciledTenantCreated, delivery: Delivery) => unknown)
    | undefined;
  /** A reconciled event lacks what the platform's list of tenants does not tell. */
  readonly onTenantArchived?:
    | ((event: TenantArchived | ReconciledTenantArchived, delivery: Delivery) => unknown)
    | undefined;
  readonly onPartnerIntegrationUpdated?:
    | ((event: PartnerIntegrationUpdated, delivery: Delivery) => unknown)
    | undefined;
  readonly onRunFailed?: ((event: RunFailed, delivery: Delivery) => unknown) | undefined;
  /** All for which there is no handler above: unknown types and what is not an event too. */
  readonly onOther?: ((delivery: Delivery) => unknown) | undefined;
}

/** What EventBridge invokes a function with, as far as it counts here. */
export interface BusInvocation {
  readonly detail: unknown;
}

/**
 * The handler of a Lambda function behind a rule on the receiver's bus.
 *
 * @example
 * export const handler = eventHandlers({
 *   onTenantCreated: (tenant) => greet(tenant.tenant_name),
 *   onRunFailed: (run, { ingestId }) => page(`run ${run.run_id} failed: ${run.admin_link}`, ingestId),
 * });
 *
 * @throws Error (by rejecting) for an invocation that is not an event of the receiver's bus.
 */
export function eventHandlers(handlers: EventHandlers): (invocation: BusInvocation) => Promise<void> {
  return async ({ detail }) => {
    const delivery = deliverySchema.parse(detail);
    const { data: event } = deliveredEventSchema.safeParse(delivery.event);
    switch (event?.event_type) {
      case "new_integration_created":
        if (handlers.onIntegrationCreated === undefined) break;
        await handlers.onIntegrationCreated(event, delivery);
        return;
      case "new_tenant_created":
        if (handlers.onTenantCreated === undefined) break;
        await handlers.onTenantCreated(event, delivery);
        return;
      case "tenant_archived":
        if (handlers.onTenantArchived === undefined) break;
        await handlers.onTenantArchived(event, delivery);
        return;
      case "partner_integration_updated":
        if (handlers.onPartnerIntegrationUpdated === undefined) break;
        await handlers.onPartnerIntegrationUpdated(event, delivery);
        return;
      case "run_failed":
        if (handlers.onRunFailed === undefined) break;
        await handlers.onRunFailed(event, delivery);
        return;
    }
    await handlers.onOther?.(delivery);
  };
}
