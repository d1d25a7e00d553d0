import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import {
  type Ledger,
  recordStatuses,
  type Sighting,
  type Subject,
  sightingStates,
  subjectKey,
} from "../ledger/ledger.ts";
import type { Commit } from "./group-commit.ts";

/** A ledger in SQLite, in the tables of `openDatabase`. */
export function sqliteLedger(database: DatabaseSync, commit: Commit): Ledger {
  const insertRecord = database.prepare(
    `INSERT INTO records (ingest_id, status, received_at, source_ip, reconciled, kind, event_type, body)
     VALUES (?, 'received', ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const selectRecord = database.prepare("SELECT * FROM records WHERE ingest_id = ?");
  const updateStatus = database.prepare("UPDATE records SET status = ? WHERE ingest_id = ?");
  const selectSighting = database.prepare("SELECT state, at, ingest_id FROM sightings WHERE subject = ?");
  const putSighting = database.prepare(
    "INSERT OR REPLACE INTO sightings (subject, state, at, ingest_id) VALUES (?, ?, ?, ?)",
  );
  const selectStock = database.prepare("SELECT value FROM notes WHERE name = 'stock'");
  const putStock = database.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES ('stock', ?)");

  const findSighting = (subject: Subject) => sightingRow.optional().parse(selectSighting.get(subjectKey(subject)));

  return {
    keep: (record) =>
      commit(() => {
        const { ingestId, receivedAt, sourceIp = null, reconciled, kind, eventType = null, body } = record;
        insertRecord.run(ingestId, receivedAt, sourceIp, Number(reconciled), kind, eventType, body);
        return recordRow.parse(selectRecord.get(ingestId)).status;
      }),
    settle: (ingestId, status) =>
      commit(() => {
        const { changes } = updateStatus.run(status, ingestId);
        if (changes === 0) throw new Error(`the ledger has no record ${ingestId}`);
      }),
    find: async (ingestId) => recordRow.optional().parse(selectRecord.get(ingestId)),
    sightings: async (subjects) => {
      const found = subjects.map((subject) => [subjectKey(subject), findSighting(subject)] as const);
      return new Map(found.flatMap(([key, sighting]) => (sighting === undefined ? [] : [[key, sighting]])));
    },
    sight: (subject, { state, at, ingestId = null }, over) =>
      commit(() => {
        const known = findSighting(subject);
        if (known !== undefined && !over.includes(known.state)) return known;
        putSighting.run(subjectKey(subject), state, at, ingestId);
        return undefined;
      }),
    stockTakenAt: async () => z.object({ value: z.string() }).optional().parse(selectStock.get())?.value,
    finishStock: (at) => commit(() => void putStock.run(at)),
  };
}

const recordRow = z
  .object({
    ingest_id: z.string(),
    status: z.enum(recordStatuses),
    received_at: z.string(),
    source_ip: z.string().nullable(),
    reconciled: z.number(),
    kind: z.string(),
    event_type: z.string().nullable(),
    body: z.instanceof(Uint8Array),
  })
  .transform(({ status, kind, body, ...row }) => ({
    ingestId: row.ingest_id,
    status,
    receivedAt: row.received_at,
    sourceIp: row.source_ip ?? undefined,
    reconciled: row.reconciled === 1,
    kind,
    eventType: row.event_type ?? undefined,
    body,
  }));

const sightingRow = z
  .object({ state: z.enum(sightingStates), at: z.string(), ingest_id: z.string().nullable() })
  .transform(
    ({ state, at, ingest_id }): Sighting => ({ state, at, ...(ingest_id === null ? {} : { ingestId: ingest_id }) }),
  );
