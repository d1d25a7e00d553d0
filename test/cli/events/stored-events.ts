import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import type { LedgerRecord, RecordStatus } from "../../../src/receiver/ledger/ledger.ts";
import { payload } from "../../receiver/fixtures.ts";
import { openLedger, temporaryFile } from "../../receiver/open-ledger.ts";

/** Three events on the same day: a failed run, a body that is not UTF-8, and a late webhook. */
export const [failed, binary, late] = [
  record("failed-1", "01:00", {
    kind: "known",
    eventType: "run_failed",
    tenantId: 5001,
    runId: 77,
    body: Buffer.from(JSON.stringify(payload("run_failed"))),
  }),
  record("binary-2", "02:30", { kind: "not UTF-8", body: Buffer.from([0xff, 0x00]) }),
  record("late-3", "03:00", {
    kind: "known",
    eventType: "new_tenant_created",
    tenantId: 5002,
    body: Buffer.from(JSON.stringify(payload("new_tenant_created"))),
  }),
];

function record(ingestId: string, time: string, facts: Pick<LedgerRecord, "kind" | "body"> & Partial<LedgerRecord>) {
  const receivedAt = `2026-03-04T${time}:00.000Z`;
  return { ingestId, receivedAt, sourceIp: "192.0.2.7", reconciled: false, ...facts };
}

/** Creates the file of a local receiver with these events. */
export async function fileWith(...stored: readonly (readonly [LedgerRecord, RecordStatus])[]): Promise<string> {
  const file = temporaryFile();
  const ledger = openLedger(file);
  for (const [event, status] of stored) {
    await ledger.putIfAbsent(event);
    await ledger.updateStatus(event, status);
  }
  return file;
}

/** Opens the database of a file, closed when the test ends. */
export function databaseOf(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5_000 }); // a receiver may be writing
  onTestFinished(() => database.close());
  return database;
}

/** The messages in the queue of a file, as objects. */
export function queueOf(file: string): unknown[] {
  const rows = databaseOf(file).prepare("SELECT message FROM queue ORDER BY id").all();
  return rows.map(({ message }) => JSON.parse(String(message)));
}
