import * as z from "zod";
import { busSource } from "./delivery/bus-event.ts";
import type { PlatformEvent } from "./events/index.ts";

/** What the detail type of an event on the bus may be: an `event_type` of the specification, or one of two others. */
export const detailTypes = [
  "new_integration_created",
  "new_tenant_created",
  "tenant_archived",
  "partner_integration_updated",
  "run_failed",
  /** The specification does not define the `event_type`. */
  "unknown",
  /** The body is not JSON, or has no `event_type`. A known `event_type` without its id is not here: it keeps its type. */
  "malformed",
] as const satisfies readonly (PlatformEvent["event_type"] | "unknown" | "malformed")[];

export type DetailType = (typeof detailTypes)[number];

/** Which events a subscription gets: those of some types, or all. */
export type SubscribedTypes = "all" | readonly DetailType[];

const message = `must be "all", or a list of event types: ${detailTypes.join(", ")}`;

export const subscribedTypesSchema = z.union(
  [z.literal("all"), z.array(z.enum(detailTypes, message), message).min(1, message)],
  message,
);

/** The pattern of a rule that matches these events, in JSON. */
export function eventPattern(types: SubscribedTypes): string {
  return JSON.stringify({ source: [busSource], ...(types !== "all" && { "detail-type": types }) });
}
