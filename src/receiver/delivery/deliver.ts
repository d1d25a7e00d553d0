import type { Ledger, LedgerRecord, RecordStatus } from "../ledger/ledger.ts";
import type { BusEvent } from "./bus-event.ts";

/** The bus that users attach their own rules to. */
export interface Bus {
  /** Resolves once the bus has accepted the event. */
  publish(event: BusEvent): Promise<void>;
}

/** Where events are delivered to. */
export interface DeliveryPorts {
  readonly ledger: Ledger;
  readonly bus: Bus;
}

/** What becomes of an event that the ledger has stored. */
export type Decision =
  | { readonly status: "published"; readonly event: BusEvent }
  /** `late`: the event is not published. `received`: the decision is postponed, and the caller repeats the delivery. */
  | { readonly status: "late" | "received" };

/** How the delivery of an event ended. */
export interface DeliveryOutcome {
  /** `received` if the delivery is not finished: the caller must repeat it. */
  readonly status: RecordStatus;
  /** True if an earlier delivery had already finished. */
  readonly isDuplicate: boolean;
}

/**
 * Stores an event in the ledger, then publishes it on the bus. The caller may repeat a delivery that was interrupted at
 * any point: it continues from the status in the ledger. The bus gets an event twice only if the interruption falls
 * between publishing it and updating its status.
 *
 * @param decide called once the event is in the ledger, unless an earlier delivery has finished.
 */
export async function deliver(
  { ledger, bus }: DeliveryPorts,
  record: LedgerRecord,
  decide: () => Promise<Decision>,
): Promise<DeliveryOutcome> {
  const current = await ledger.putIfAbsent(record);
  if (current !== "received") return { status: current, isDuplicate: true };

  const decision = await decide();
  if ("event" in decision) await bus.publish(decision.event);
  if (decision.status !== "received") await ledger.updateStatus(record, decision.status);
  return { status: decision.status, isDuplicate: false };
}
