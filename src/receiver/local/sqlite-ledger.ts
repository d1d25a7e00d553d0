import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import {
  type Ledger,
  type ListedRecord,
  type Observation,
  observationStates,
  type RecordQuery,
  recordStatuses,
  type TenantEvent,
  tenantEventKey,
} from "../ledger/ledger.ts";
import type { Commit } from "./group-commit.ts";

/** How many records a list reads at once. */
const pageSize = 500;

/** A ledger in the SQLite database of `openDatabase`. */
export function sqliteLedger(database: DatabaseSync, commit: Commit): Ledger {
  const insertRecord = database.prepare(
    `INSERT INTO records (ingest_id, status, received_at, source_ip, reconciled, kind, event_type, tenant_id, run_id, body)
     VALUES (?, 'received', ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const selectRecord = database.prepare("SELECT * FROM records WHERE ingest_id = ?");
  const selectPage = database.prepare(
    `SELECT ingest_id, status, received_at, source_ip, reconciled, kind, event_type, tenant_id, run_id FROM records
     WHERE received_at >= :since AND (received_at, ingest_id) < (:before, :beforeId)
       AND (:eventType IS NULL OR event_type = :eventType) AND (:tenantId IS NULL OR tenant_id = :tenantId)
     ORDER BY received_at DESC, ingest_id DESC LIMIT ${pageSize}`,
  );
  const updateRecord = database.prepare("UPDATE records SET status = ? WHERE ingest_id = ?");
  const selectObservation = database.prepare("SELECT state, at, ingest_id FROM observations WHERE tenant_event = ?");
  const replaceObservation = database.prepare(
    "INSERT OR REPLACE INTO observations (tenant_event, state, at, ingest_id) VALUES (?, ?, ?, ?)",
  );
  const selectBaseline = database.prepare("SELECT value FROM notes WHERE name = 'baseline'");
  const replaceBaseline = database.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES ('baseline', ?)");

  const reserveSweep = database.prepare(
    `INSERT INTO notes (name, value) VALUES ('sweep', :until)
     ON CONFLICT (name) DO UPDATE SET value = :until WHERE value <= :now`,
  );

  const findObservation = (event: TenantEvent) =>
    observationRow.optional().parse(selectObservation.get(tenantEventKey(event)));

  return {
    putIfAbsent: (record) =>
      commit(() => {
        const { ingestId, receivedAt, sourceIp = null, reconciled, kind, body } = record;
        const { eventType = null, tenantId = null, runId = null } = record;
        const facts = [receivedAt, sourceIp, Number(reconciled), kind, eventType, tenantId, runId] as const;
        insertRecord.run(ingestId, ...facts, body);
        return recordRow.parse(selectRecord.get(ingestId)).status;
      }),
    putUnqueued: () => Promise.reject(new Error("the local receiver has one file for the queue and the ledger")),
    listUnqueued: async function* () {},
    updateStatus: ({ ingestId }, status) =>
      commit(() => {
        const { changes } = updateRecord.run(status, ingestId);
        if (changes === 0) throw new Error(`cannot update the status of ${ingestId}: the ledger has no such record`);
      }),
    find: async (ingestId) => recordRow.optional().parse(selectRecord.get(ingestId)),
    list: async function* (query) {
      // Reads page by page, so that no read transaction stays open beside a receiver that writes.
      for (let last: ListedRecord | undefined; ; ) {
        const page = z.array(listedRow).parse(selectPage.all(pageParameters(query, last)));
        yield* page;
        last = page.at(-1);
        if (last === undefined) return;
      }
    },
    findObservations: async (events) => {
      const found = events.map((event) => [tenantEventKey(event), findObservation(event)] as const);
      return new Map(found.flatMap(([key, observation]) => (observation === undefined ? [] : [[key, observation]])));
    },
    putObservation: (event, { state, at, ingestId = null }, replaceable) =>
      commit(() => {
        const existing = findObservation(event);
        if (existing !== undefined && !replaceable.includes(existing.state)) return existing;
        replaceObservation.run(tenantEventKey(event), state, at, ingestId);
        return undefined;
      }),
    baselineCompletedAt: async () => z.object({ value: z.string() }).optional().parse(selectBaseline.get())?.value,
    completeBaseline: (at) => commit(() => void replaceBaseline.run(at)),
    reserveSweep: (now, until) => commit(() => reserveSweep.run({ now, until }).changes === 1),
  };
}

/** @param last the last record of the previous page. */
function pageParameters({ since, until, eventType, tenantId }: RecordQuery, last?: ListedRecord) {
  // Without a last record, the page begins at `until`, which belongs to it: no ingest id is greater than this character.
  const latest = { receivedAt: until ?? new Date().toISOString(), ingestId: maxText };
  const { receivedAt: before, ingestId: beforeId } = last ?? latest;
  return { since, before, beforeId, eventType: eventType ?? null, tenantId: tenantId ?? null };
}

const maxText = "\u{10ffff}";

const listedColumns = z.object({
  ingest_id: z.string(),
  status: z.enum(recordStatuses),
  received_at: z.string(),
  source_ip: z.string().nullable(),
  reconciled: z.number(),
  kind: z.string(),
  event_type: z.string().nullable(),
  tenant_id: z.number().nullable(),
  run_id: z.number().nullable(),
});

const listedRow = listedColumns.transform(listedRecord);

const recordRow = listedColumns
  .extend({ body: z.instanceof(Uint8Array) })
  .transform(({ body, ...row }) => ({ ...listedRecord(row), body }));

function listedRecord(row: z.infer<typeof listedColumns>): ListedRecord {
  return {
    ingestId: row.ingest_id,
    status: row.status,
    receivedAt: row.received_at,
    sourceIp: row.source_ip ?? undefined,
    reconciled: row.reconciled === 1,
    kind: row.kind,
    eventType: row.event_type ?? undefined,
    tenantId: row.tenant_id ?? undefined,
    runId: row.run_id ?? undefined,
  };
}

const observationRow = z
  .object({ state: z.enum(observationStates), at: z.string(), ingest_id: z.string().nullable() })
  .transform(
    ({ state, at, ingest_id }): Observation => ({ state, at, ...(ingest_id === null ? {} : { ingestId: ingest_id }) }),
  );
