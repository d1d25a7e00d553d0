import * as z from "zod";
import {
  eventSchema,
  type IntegrationCreated,
  type PartnerIntegrationUpdated,
  type RunFailed,
  type TenantArchived,
  type TenantCreated,
} from "./payloads.ts";

/**
 * A handler for each kind of event. The same event may arrive more than once, with the same `delivery.ingestId`, and events
 * may arrive out of order. If a handler throws, the invocation fails and Lambda retries it.
 *
 * Only the id of an event is always there. Any other field is undefined if the platform did not send it, or sent another type
 * than the specification names. `delivery.event` has what was sent.
 */
export interface EventHandlers {
  readonly onIntegrationCreated?: ((event: IntegrationCreated, delivery: Delivery) => unknown) | undefined;
  /** A reconciled event lacks the fields that the platform's list of tenants does not provide. */
  readonly onTenantCreated?: ((event: TenantCreated, delivery: Delivery) => unknown) | undefined;
  /** A reconciled event lacks the fields that the platform's list of tenants does not provide. */
  readonly onTenantArchived?: ((event: TenantArchived, delivery: Delivery) => unknown) | undefined;
  readonly onPartnerIntegrationUpdated?:
    | ((event: PartnerIntegrationUpdated, delivery: Delivery) => unknown)
    | undefined;
  readonly onRunFailed?: ((event: RunFailed, delivery: Delivery) => unknown) | undefined;
  /**
   * Called for every delivery without a handler above, including unknown event types and bodies that do not identify an event.
   */
  readonly onOther?: ((delivery: Delivery) => unknown) | undefined;
}

/** The part of an EventBridge event that the handlers read. */
export interface BusInvocation {
  readonly detail: unknown;
}

/**
 * Creates the handler of a Lambda function that a rule on the receiver's bus invokes.
 *
 * @example
 * export const handler = eventHandlers({
 *   onTenantCreated: (tenant) => greet(tenant.tenant_name),
 *   onRunFailed: (run, { ingestId }) => page(`run ${run.run_id} failed: ${run.admin_link}`, ingestId),
 * });
 *
 * The handler rejects an invocation that is not an event of the receiver's bus.
 */
export function eventHandlers(handlers: EventHandlers): (invocation: BusInvocation) => Promise<void> {
  return async ({ detail }) => {
    const delivery = deliverySchema.parse(detail);
    const event = eventSchema.safeParse(delivery.event).data;
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
      case undefined:
        break;
      default:
        event satisfies never; // a new event needs a case of its own
    }
    await handlers.onOther?.(delivery);
  };
}

/** The `detail` of an event on the bus. */
export const deliverySchema = z.object({
  /** Identifies the event. Deliveries with the same id are duplicates; deliveries with equal content may not be. */
  ingestId: z.string(),
  /**
   * Identifies the replay if somebody has published the event again. A handler that drops duplicates compares `ingestId` and
   * `replayId`, because a replay is no duplicate.
   */
  replayId: z.string().optional(),
  /** When the webhook arrived, or when a sweep found the event, ISO 8601, UTC. */
  receivedAt: z.string(),
  /** True if reconciliation found the event. False if a webhook delivered it. */
  reconciled: z.boolean(),
  /** The event as it was sent, if the specification defines its `event_type`. */
  event: z.record(z.string(), z.unknown()).optional(),
  /** The body of any other webhook. */
  body: z.string().optional(),
  /** How `body` encodes the bytes of the webhook. */
  bodyEncoding: z.enum(["utf8", "base64"]).optional(),
  /** False if a part was too large for the bus. The ledger holds the whole body under the ingest id. */
  isWhole: z.boolean(),
  /** How the body deviates from the specification, and what is not whole. */
  problems: z.array(z.string()),
});

export type Delivery = z.infer<typeof deliverySchema>;
