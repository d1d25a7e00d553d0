import type { JsonObject } from "../rules/json.ts";

/** The events by their configuration keys: specification, "Event types". */
export const eventKeys = [
  "integration_created",
  "tenant_created",
  "tenant_archived",
  "partner_integration_updated",
  "run_failed",
] as const;
export type EventKey = (typeof eventKeys)[number];

/** The `event_type` in the payload of each event: specification, "Event types". */
export const eventTypes: Readonly<Record<EventKey, string>> = {
  integration_created: "new_integration_created",
  tenant_created: "new_tenant_created",
  tenant_archived: "tenant_archived",
  partner_integration_updated: "partner_integration_updated",
  run_failed: "run_failed",
};

/** A record with a value for each event. */
export function forEachEvent<Value>(valueFor: (event: EventKey) => Value): Record<EventKey, Value> {
  return {
    integration_created: valueFor("integration_created"),
    tenant_created: valueFor("tenant_created"),
    tenant_archived: valueFor("tenant_archived"),
    partner_integration_updated: valueFor("partner_integration_updated"),
    run_failed: valueFor("run_failed"),
  };
}

/**
 * The outcomes of a webhook that was sent: answered with 2xx (`delivered`) or another status (`refused`), not answered in time
 * (`timeout`), its receiver not reached (`unreachable`), or stopped by the end of the emulator (`interrupted`).
 */
export const sentOutcomes = ["delivered", "refused", "timeout", "unreachable", "interrupted"] as const;

/** The outcome of a webhook: not sent yet (`pending`), being sent (`sending`), or one of {@link sentOutcomes}. */
export type DeliveryOutcome = "pending" | "sending" | (typeof sentOutcomes)[number];

/** A webhook, sent or pending. The platform sends each webhook once. */
export interface DeliveryRecord {
  readonly id: number;
  readonly event: EventKey;
  readonly url: string;
  readonly payload: JsonObject;
  readonly created_date: string;
  readonly outcome: DeliveryOutcome;
  /** The status of the receiver's response; null when there was no response. */
  readonly status: number | null;
  /** How long the request took; null before its end. */
  readonly milliseconds: number | null;
}

/** An e-mail about an event. The emulator does not send it. */
export interface EmailRecord {
  readonly id: number;
  readonly event: EventKey;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly created_date: string;
}
