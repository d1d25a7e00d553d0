import type { LedgerRecord, ListedRecord, RecordQuery, RecordStatus } from "../../receiver/ledger/ledger.ts";

/** A record with its status and its body. */
export type StoredRecord = LedgerRecord & { readonly status: RecordStatus };

/** The events of a receiver. */
export interface EventStore {
  /** The newest first. */
  list(query: RecordQuery): AsyncIterable<ListedRecord>;
  /** Resolves to undefined if there is no such record. */
  find(ingestId: string): Promise<StoredRecord | undefined>;
  /** Publishes a record again, or has a local receiver do so. */
  replay(record: StoredRecord, replayId: string): Promise<void>;
  close(): void;
}
