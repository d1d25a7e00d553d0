import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import {
  type Ledger,
  type Observation,
  observationStates,
  recordStatuses,
  type TenantEvent,
  tenantEventKey,
} from "../ledger/ledger.ts";
import type { Commit } from "./group-commit.ts";

/** A ledger in the SQLite database of `openDatabase`. */
export function sqliteLedger(database: DatabaseSync, commit: Commit): Ledger {
  const insertRecord = database.prepare(
    `INSERT INTO records (ingest_id, status, received_at, source_ip, reconciled, kind, event_type, tenant_id, run_id, body)
     VALUES (?, 'received', ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const selectRecord = database.prepare("SELECT * FROM records WHERE ingest_id = ?");
  const updateRecord = database.prepare("UPDATE records SET status = ? WHERE ingest_id = ?");
  const selectObservation = database.prepare("SELECT state, at, ingest_id FROM observations WHERE tenant_event = ?");
  const replaceObservation = database.prepare(
    "INSERT OR REPLACE INTO observations (tenant_event, state, at, ingest_id) VALUES (?, ?, ?, ?)",
  );
  const selectBaseline = database.prepare("SELECT value FROM notes WHERE name = 'baseline'");
  const replaceBaseline = database.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES ('baseline', ?)");

  const findObservation = (event: TenantEvent) =>
    observationRow.optional().parse(selectObservation.get(tenantEventKey(event)));

  return {
    putIfAbsent: (record) =>
      commit(() => {
        const { ingestId, receivedAt, sourceIp = null, reconciled, kind, body } = record;
        const { eventType = null, tenantId = null, runId = null } = record;
        insertRecord.run(ingestId, receivedAt, sourceIp, Number(reconciled), kind, eventType, tenantId, runId, body);
        return recordRow.parse(selectRecord.get(ingestId)).status;
      }),
    updateStatus: (ingestId, status) =>
      commit(() => {
        const { changes } = updateRecord.run(status, ingestId);
        if (changes === 0) throw new Error(`cannot update the status of ${ingestId}: the ledger has no such record`);
      }),
    find: async (ingestId) => recordRow.optional().parse(selectRecord.get(ingestId)),
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
    tenant_id: z.number().nullable(),
    run_id: z.number().nullable(),
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
    tenantId: row.tenant_id ?? undefined,
    runId: row.run_id ?? undefined,
    body,
  }));

const observationRow = z
  .object({ state: z.enum(observationStates), at: z.string(), ingest_id: z.string().nullable() })
  .transform(
    ({ state, at, ingest_id }): Observation => ({ state, at, ...(ingest_id === null ? {} : { ingestId: ingest_id }) }),
  );
