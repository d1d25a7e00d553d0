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

/** How the delivery of an event ended. */
export interface DeliveryOutcome {
  readonly status: RecordStatus;
  /** True if an earlier delivery had already finished. */
  readonly isDuplicate: boolean;
}

/**
 * Stores an event in the ledger, then publishes it on the bus. The caller may repeat a delivery that was interrupted at
 * any point: it continues from the status in the ledger. The bus gets an event twice only if the interruption falls
 * between publishing it and updating its status.
 *
 * @param isLate called once the event is in the ledger. True if reconciliation has published the same event already.
 */
export async function deliver(
  { ledger, bus }: DeliveryPorts,
  record: LedgerRecord,
  event: BusEvent,
  isLate: () => Promise<boolean> = async () => false,
): Promise<DeliveryOutcome> {
  const current = await ledger.putIfAbsent(record);
  if (current !== "received") return { status: current, isDuplicate: true };

  const status = (await isLate()) ? "late" : "published";
  if (status === "published") await bus.publish(event);
  await ledger.updateStatus(record.ingestId, status);
  return { status, isDuplicate: false };
}
