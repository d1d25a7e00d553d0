import type { Delivery } from "./events/index.ts";

/** Where a webhook waits once it is acknowledged. */
export interface Queue {
  /** Resolves once the message will not be lost. `signal` is aborted when nobody waits for the answer any more. */
  keep(message: string, signal: AbortSignal): Promise<void>;
}

/** Where users hang their own rules. */
export interface Bus {
  /** Resolves once the bus has it. */
  publish(event: BusEvent): Promise<void>;
}

/** An event on the bus; on EventBridge its source is {@link busSource}. */
export interface BusEvent {
  /** The `event_type` of a known event, else `unknown` or `malformed`. */
  readonly detailType: string;
  readonly detail: Delivery;
}

/** The source of all events on the bus. */
export const busSource = "integration-platform";
