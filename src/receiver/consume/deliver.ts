import type { Ledger, LedgerRecord, RecordStatus } from "../ledger/ledger.ts";
import type { Bus, BusEvent } from "../ports.ts";

/** Where events go. */
export interface DeliveryPorts {
  readonly ledger: Ledger;
  readonly bus: Bus;
}

/** What became of an event. */
export interface DeliveryOutcome {
  readonly status: RecordStatus;
  /** Whether there was nothing left to do. */
  readonly isDuplicate: boolean;
}

/**
 * Brings an event into the ledger and then onto the bus. Safe to repeat wherever it was cut off: it goes on from the
 * status in the ledger. Only a cut between the bus and the ledger's note of it puts an event on the bus twice.
 *
 * @param isLate asked once the event is in the ledger: whether the bus has been told of the same before.
 */
export async function deliver(
  { ledger, bus }: DeliveryPorts,
  record: LedgerRecord,
  event: BusEvent,
  isLate: () => Promise<boolean> = async () => false,
): Promise<DeliveryOutcome> {
  const known = await ledger.keep(record);
  if (known !== "received") return { status: known, isDuplicate: true };

  const status = (await isLate()) ? "late" : "published";
  if (status === "published") await bus.publish(event);
  await ledger.settle(record.ingestId, status);
  return { status, isDuplicate: false };
}
