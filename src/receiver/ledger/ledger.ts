import * as z from "zod";
import type { ParsedEvent } from "../events/parse-event.ts";
import { integer } from "../events/payloads.ts";
import type { Webhook } from "../message.ts";

/**
 * How far the delivery of an event has come:
 * - `received`: the event is in the ledger. It may be on the bus.
 * - `published`: the event is on the bus.
 * - `late`: the event is only in the ledger. Reconciliation had already published it when the webhook arrived.
 */
export const recordStatuses = ["received", "published", "late"] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** A record as a list shows it. */
export const listedRecordSchema = z.object({
  ingestId: z.string(),
  status: z.enum(recordStatuses),
  /** ISO 8601, UTC. */
  receivedAt: z.string(),
  /** Absent for reconciled events. */
  sourceIp: z.string().optional(),
  /** True if reconciliation found the event. False if a webhook delivered it. */
  reconciled: z.boolean(),
  /** What the body is: the `kind` of a `ParsedEvent`. */
  kind: z.string(),
  /** Absent if the body has none. */
  eventType: z.string().optional(),
  /** The tenant that the event is about. Absent if it is about none, or if the body does not identify it. */
  tenantId: z.number().optional(),
  /** The run that failed. Absent for other events. */
  runId: z.number().optional(),
});

export type ListedRecord = Readonly<z.infer<typeof listedRecordSchema>>;

/** An event in the ledger, with its body as it arrived, which may be as long as a message of the queue. */
export type LedgerRecord = Omit<ListedRecord, "status"> & { readonly body: Uint8Array };

/** Which records a list shows. */
export interface RecordQuery {
  /** The earliest `receivedAt`, ISO 8601, UTC. */
  readonly since: string;
  /** The latest `receivedAt`, ISO 8601, UTC. Default: now. */
  readonly until?: string | undefined;
  readonly eventType?: string | undefined;
  readonly tenantId?: number | undefined;
}

/** An event that happens to a tenant once. */
export interface TenantEvent {
  readonly tenantId: number;
  readonly eventKind: "created" | "archived";
}

/**
 * - `baseline`: the event happened before the first sweep.
 * - `webhook`: a webhook reported the event.
 * - `noticed`: a sweep found the event. Its webhook may still arrive.
 * - `reconciling`: a sweep is about to publish the event.
 * - `reconciled`: a sweep has published the event.
 */
export const observationStates = ["baseline", "webhook", "noticed", "reconciling", "reconciled"] as const;
export type ObservationState = (typeof observationStates)[number];

/** The ledger's knowledge of a tenant event. */
export const observationSchema = z.object({
  state: z.enum(observationStates),
  /** When the receiver first knew of the event, ISO 8601, UTC. */
  at: z.string(),
  /** The ingest id under which the event was delivered. Absent while it has none. */
  ingestId: z.string().optional(),
});

export type Observation = Readonly<z.infer<typeof observationSchema>>;

/** Stores every event with its status, and one observation for each tenant event. Every write may be repeated. */
export interface Ledger {
  /** Stores a record with status `received` unless its ingest id exists. Resolves to the status of the stored record. */
  putIfAbsent(record: LedgerRecord): Promise<RecordStatus>;
  /** Stores the record of a webhook that no queue holds: it is in `listUnqueued` until its status changes. */
  putUnqueued(record: LedgerRecord): Promise<void>;
  /** Changes the status of a record. Rejects if there is none. */
  updateStatus(record: Pick<LedgerRecord, "ingestId" | "receivedAt">, status: RecordStatus): Promise<void>;
  /** Resolves to the record with its whole body, or to undefined if there is none. */
  find(ingestId: string): Promise<(LedgerRecord & { readonly status: RecordStatus }) | undefined>;
  /** Lists records without their bodies, the newest first. May lag behind recent writes. */
  list(query: RecordQuery): AsyncIterable<ListedRecord>;
  /** Lists the records of `putUnqueued` that have not been delivered, the oldest first. May lag behind recent writes. */
  listUnqueued(): AsyncIterable<ListedRecord>;

  /** Resolves to the existing observations of these events, by {@link tenantEventKey}. May lag behind recent writes. */
  findObservations(events: readonly TenantEvent[]): Promise<ReadonlyMap<string, Observation>>;
  /**
   * Stores an observation if there is none yet, or if the existing one has one of the `replaceable` states, atomically.
   * Resolves to undefined if it was stored, otherwise to the existing observation.
   */
  putObservation(
    event: TenantEvent,
    observation: Observation,
    replaceable: readonly ObservationState[],
  ): Promise<Observation | undefined>;

  /** Resolves to the time at which the baseline was completed, or to undefined before that. */
  baselineCompletedAt(): Promise<string | undefined>;
  completeBaseline(at: string): Promise<void>;
  /**
   * Reserves the sweep until a time, unless another one has reserved it beyond `now`, atomically. Resolves to whether it is
   * reserved. To release it, call this with both times exchanged.
   */
  reserveSweep(now: string, until: string): Promise<boolean>;
}

/** A string that identifies a tenant event. */
export function tenantEventKey({ tenantId, eventKind }: TenantEvent): string {
  return `tenant#${tenantId}#${eventKind}`;
}

/** The record of a webhook, as the ledger stores it. */
export function recordOf(webhook: Webhook, parsed: ParsedEvent): LedgerRecord {
  const { kind, eventType } = parsed;
  // An unknown event type may be as long as a body.
  const shortType = eventType?.slice(0, 200).toWellFormed();
  const { tenant_id: tenantId, run_id: runId } = "payload" in parsed ? subjectSchema.parse(parsed.payload) : {};
  return { ...webhook, reconciled: false, kind, eventType: shortType, tenantId, runId };
}

/** What an event is about. Read from malformed events too, as far as they tell. */
const subjectSchema = z.object({ tenant_id: integer, run_id: integer });
