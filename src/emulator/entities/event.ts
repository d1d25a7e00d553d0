import type { JsonObject } from "./json.ts";

/** Specification, "Event types": the configuration keys. */
export const eventKeys = [
  "integration_created",
  "tenant_created",
  "tenant_archived",
  "partner_integration_updated",
  "run_failed",
] as const;
export type EventKey = (typeof eventKeys)[number];

/** Specification, "Event types": the payload's `event_type` for each configuration key. */
export const eventTypes: Readonly<Record<EventKey, string>> = {
  integration_created: "new_integration_created",
  tenant_created: "new_tenant_created",
  tenant_archived: "tenant_archived",
  partner_integration_updated: "partner_integration_updated",
  run_failed: "run_failed",
};

/**
 * What became of a webhook: not tried yet; on its way; answered with 2xx; with another status; not answered in time;
 * not reached; or cut off by the end of the emulator.
 */
export type DeliveryOutcome =
  | "pending"
  | "sending"
  | "delivered"
  | "refused"
  | "timeout"
  | "unreachable"
  | "interrupted";

/** A webhook, sent or to be sent; each is sent once. */
export interface DeliveryRecord {
  readonly id: number;
  readonly event: EventKey;
  readonly url: string;
  readonly payload: JsonObject;
  readonly created_date: string;
  readonly outcome: DeliveryOutcome;
  /** The receiver's status; null when there was none. */
  readonly status: number | null;
  /** How long it took; null when it is not over. */
  readonly milliseconds: number | null;
}

/** An e-mail, which is not sent anywhere. */
export interface EmailRecord {
  readonly id: number;
  readonly event: EventKey;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly created_date: string;
}
