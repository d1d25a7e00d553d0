import * as z from "zod";

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
  /** False if the receiver has asked the platform and the platform does not confirm the event. Absent otherwise. */
  verified: z.boolean().optional(),
  /** The event as it was sent, if the specification defines its `event_type`. */
  event: z.record(z.string(), z.unknown()).optional(),
  /** The body of any other webhook. */
  body: z.string().optional(),
  /** How `body` encodes the bytes of the webhook. */
  bodyEncoding: z.enum(["utf8", "base64"]).optional(),
  /** False if a part was too large for the bus. The ledger holds the whole body under the ingest id. */
  isWhole: z.boolean(),
  /** How the body deviates from the specification, what is not whole, and what the platform does not confirm. */
  problems: z.array(z.string()),
});

export type Delivery = z.infer<typeof deliverySchema>;
