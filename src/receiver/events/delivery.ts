import * as z from "zod";
import {
  integrationCreatedSchema,
  partnerIntegrationUpdatedSchema,
  runFailedSchema,
  tenantArchivedSchema,
  tenantCreatedSchema,
} from "./payloads.ts";

/** Fields that the platform's list of tenants may not provide. */
const unlisted = {
  environment: true,
  account_id: true,
  account_name: true,
  integration_id: true,
  integration_name: true,
} as const;

/**
 * The creation of a tenant that no webhook reported. `timestamp` is the tenant's `created_date`, or the time at which the
 * receiver first saw the tenant if the platform provides no date.
 */
export const reconciledTenantCreatedSchema = tenantCreatedSchema.partial(unlisted);

/** The archiving of a tenant that no webhook reported. `timestamp` is the time at which the receiver first saw it. */
export const reconciledTenantArchivedSchema = tenantArchivedSchema.partial(unlisted);

/** Any known event on the bus, reconciled or not. */
export const deliveredEventSchema = z.discriminatedUnion("event_type", [
  integrationCreatedSchema,
  reconciledTenantCreatedSchema,
  reconciledTenantArchivedSchema,
  partnerIntegrationUpdatedSchema,
  runFailedSchema,
]);

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
  /** The event, if it is known. */
  event: z.record(z.string(), z.unknown()).optional(),
  /** The body of the webhook, if it is not a known event. */
  body: z.string().optional(),
  /** How `body` encodes the bytes of the webhook. */
  bodyEncoding: z.enum(["utf8", "base64"]).optional(),
  /** False if a part was too large for the bus. The ledger holds the whole body under the ingest id. */
  isWhole: z.boolean(),
  /** Why the body is not a known event, or not whole. */
  problems: z.array(z.string()),
});

export type Delivery = z.infer<typeof deliverySchema>;
export type ReconciledTenantCreated = z.infer<typeof reconciledTenantCreatedSchema>;
export type ReconciledTenantArchived = z.infer<typeof reconciledTenantArchivedSchema>;
