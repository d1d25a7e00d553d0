import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { recordStatuses } from "../../src/receiver/ledger/ledger.ts";
import { openDatabase } from "../../src/receiver/local/sqlite-ledger.ts";
import { eventNames, payload } from "../receiver/fixtures.ts";
import { anyJson, mutated } from "./mutations.ts";

/** An event as a receiver has stored it, or nearly. */
export interface StoredEvent {
  readonly ingestId: string;
  readonly status: string;
  readonly receivedAt: string;
  readonly sourceIp: string | undefined;
  readonly reconciled: boolean;
  readonly kind: string;
  readonly eventType: string | undefined;
  readonly tenantId: number | undefined;
  readonly runId: number | undefined;
  readonly body: Uint8Array;
}

/** The ingest ids that events may have. */
export const ingestIds = ["id-1", "id-2", "id-3", "\u001b[31m", "__proto__", " "] as const;

const text = fc.oneof(
  fc.constantFrom("run_failed", "", "\u001b]0;x\u0007"),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const id = fc.constantFrom(undefined, 5001, 0, -1, 1.5, 2 ** 53);
const bodies: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .constantFrom(...eventNames.map((name) => JSON.parse(JSON.stringify(payload(name)))))
    .chain((event) => fc.oneof(fc.constant(event), mutated(event)))
    .map((event) => Buffer.from(JSON.stringify(event))),
  anyJson.map((value) => Buffer.from(JSON.stringify(value))),
  fc.constantFrom(10, 1000, 20_000).map((depth) => Buffer.from(`{"event_type":"run_failed","a":${"[".repeat(depth)}`)),
  fc.constantFrom(1000, 300_000).map((size) => Buffer.from(JSON.stringify({ event_type: "x".repeat(size) }))),
  fc.uint8Array({ maxLength: 60 }),
);

export const storedEvents: fc.Arbitrary<StoredEvent> = fc.record({
  ingestId: fc.constantFrom(...ingestIds),
  status: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...recordStatuses) }, text),
  receivedAt: fc.nat(3 * 24 * 60).map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString()),
  sourceIp: fc.constantFrom(undefined, "192.0.2.7", "\u009b2J"),
  reconciled: fc.boolean(),
  kind: fc.oneof(fc.constantFrom("known", "unknown type", "malformed", "not JSON", "not UTF-8"), text),
  eventType: fc.option(text, { nil: undefined }),
  tenantId: id,
  runId: id,
  body: bodies,
});

/** The file of a local receiver. */
export interface ReceiverFile extends Disposable {
  /** Replaces all that it has by these events. */
  fill(events: readonly StoredEvent[]): void;
}

export function openReceiverFile(path: string): ReceiverFile {
  openDatabase(path).close();
  const database = new DatabaseSync(path, { timeout: 5_000 });
  const insertEvent = database.prepare("INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?, ?)");
  return {
    fill: (events) => {
      database.exec("BEGIN; DELETE FROM records; DELETE FROM queue");
      for (const { ingestId, receivedAt, status, body, ...facts } of events) {
        insertEvent.run(ingestId, receivedAt, status, JSON.stringify(facts), body);
      }
      database.exec("COMMIT");
    },
    [Symbol.dispose]: () => database.close(),
  };
}
