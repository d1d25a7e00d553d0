/**
 * What has become of an event: `received` is in the ledger and perhaps on the bus, `published` is on the bus; `late` is in
 * the ledger only, as a reconciled event had told of the same before.
 */
export const recordStatuses = ["received", "published", "late"] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** An event in the ledger. */
export interface LedgerRecord {
  readonly ingestId: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** Absent for reconciled events. */
  readonly sourceIp?: string | undefined;
  /** Whether it was found by reconciliation, without a webhook. */
  readonly reconciled: boolean;
  /** What the body turned out to be; see `ParsedEvent`. */
  readonly kind: string;
  /** Absent where the body has none. */
  readonly eventType?: string | undefined;
  /** As it came, of any length that the queue takes. */
  readonly body: Uint8Array;
}

/** Something that happens to a tenant once. */
export interface Subject {
  readonly tenantId: number;
  readonly happening: "created" | "archived";
}

/** How the ledger knows that something has happened to a tenant. */
export interface Sighting {
  readonly state: SightingState;
  /** When it was first known, ISO 8601, UTC. */
  readonly at: string;
  /** The event that tells of it; absent while there is none. */
  readonly ingestId?: string | undefined;
}

/**
 * - `stock`: the tenant was so when reconciliation first took stock.
 * - `webhook`: a webhook has told of it.
 * - `noticed`: reconciliation sees it, and waits for the webhook.
 * - `reconciling`: reconciliation is about to tell of it.
 * - `reconciled`: reconciliation has told of it.
 */
export const sightingStates = ["stock", "webhook", "noticed", "reconciling", "reconciled"] as const;
export type SightingState = (typeof sightingStates)[number];

/** All that was ever received, and what of it has been told to the bus. Every write is safe to repeat. */
export interface Ledger {
  /** Puts the record with status `received` unless its ingest id is there. Resolves to the status that it has now. */
  keep(record: LedgerRecord): Promise<RecordStatus>;
  /** Changes the status of a record that is there. */
  settle(ingestId: string, status: RecordStatus): Promise<void>;
  /** A record, whole; undefined if there is none. */
  find(ingestId: string): Promise<(LedgerRecord & { readonly status: RecordStatus }) | undefined>;

  /** The sightings of those subjects that have one, by {@link subjectKey}. May lag a moment behind writes. */
  sightings(subjects: readonly Subject[]): Promise<ReadonlyMap<string, Sighting>>;
  /**
   * Puts a sighting, if there is none or one whose state is among `over`, in one step. Resolves to what is in its way;
   * undefined if it was put.
   */
  sight(subject: Subject, sighting: Sighting, over: readonly SightingState[]): Promise<Sighting | undefined>;

  /** When reconciliation finished taking stock; undefined before. */
  stockTakenAt(): Promise<string | undefined>;
  finishStock(at: string): Promise<void>;
}

/** A text that names a subject. */
export function subjectKey({ tenantId, happening }: Subject): string {
  return `tenant#${tenantId}#${happening}`;
}
