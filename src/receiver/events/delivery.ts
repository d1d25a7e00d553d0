import * as z from "zod";
import {
  integrationCreatedSchema,
  partnerIntegrationUpdatedSchema,
  runFailedSchema,
  tenantArchivedSchema,
  tenantCreatedSchema,
} from "./payloads.ts";

/** What the platform's list of tenants does not tell. */
const unlisted = {
  environment: true,
  account_id: true,
  account_name: true,
  integration_id: true,
  integration_name: true,
} as const;

/**
 * A tenant that was created without a webhook. `timestamp` is its `created_date`, or when it was first seen where the
 * platform does not tell.
 */
export const reconciledTenantCreatedSchema = tenantCreatedSchema.partial(unlisted);

/** A tenant that was archived without a webhook. `timestamp` is when it was first seen archived. */
export const reconciledTenantArchivedSchema = tenantArchivedSchema.partial(unlisted);

/** Any event that can be on the bus, reconciled or not. */
export const deliveredEventSchema = z.discriminatedUnion("event_type", [
  integrationCreatedSchema,
  reconciledTenantCreatedSchema,
  reconciledTenantArchivedSchema,
  partnerIntegrationUpdatedSchema,
  runFailedSchema,
]);

/** The `detail` of an event on the bus. */
export const deliverySchema = z.object({
  /** The same whenever an event comes a second time: by it, and not by their content, duplicates are known. */
  ingestId: z.string(),
  /** When the webhook came in, ISO 8601, UTC. */
  receivedAt: z.string(),
  /** Whether it was found by reconciliation, without a webhook. */
  reconciled: z.boolean(),
  /** The event, if it is a known one. */
  event: z.record(z.string(), z.unknown()).optional(),
  /** What came, if it is not a known event. */
  body: z.string().optional(),
  /** How `body` stands for the bytes that came. */
  bodyEncoding: z.enum(["utf8", "base64"]).optional(),
  /** False if something was too large for the bus: all of it is in the ledger, under the ingest id. */
  isWhole: z.boolean(),
  /** Why it is not a known event, or not whole. */
  problems: z.array(z.string()),
});

export type Delivery = z.infer<typeof deliverySchema>;
export type ReconciledTenantCreated = z.infer<typeof reconciledTenantCreatedSchema>;
export type ReconciledTenantArchived = z.infer<typeof reconciledTenantArchivedSchema>;
