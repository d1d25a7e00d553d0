import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { jsonIn } from "../../json/parse-json.ts";
import { type Ledger, listedRecordSchema, observationSchema, tenantEventKey } from "../ledger/ledger.ts";

const formatVersion = 4;

/** `facts` has the rest of a record, and `notes` the observations and the state of the sweeps, as JSON. */
const tables = `
  CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY AUTOINCREMENT, message TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS records (
    ingest_id TEXT PRIMARY KEY, received_at TEXT NOT NULL, status TEXT NOT NULL, facts TEXT NOT NULL, body BLOB NOT NULL
  );
  CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, value TEXT NOT NULL);
`;

/**
 * Opens the SQLite database of a local receiver, and creates its tables if they are missing. What is written survives a kill of
 * the process; a power failure may lose the latest writes.
 *
 * @param file created if it does not exist. Default: a database in memory.
 * @throws Error if the file is not a database of this version of a receiver.
 */
export function openDatabase(file?: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Resolved, because SQLite would take names such as ":memory:" and "file:..." for something else than a file.
    database = new DatabaseSync(file === undefined ? ":memory:" : resolve(file), { timeout: 5_000 });
    const state =
      "SELECT user_version AS version, (SELECT count(*) FROM sqlite_schema) AS used FROM pragma_user_version";
    const { version, used } = database.prepare(state).get() ?? {};
    const isUsable = version === formatVersion || (version === 0 && used === 0);
    if (!isUsable) throw new Error("it is not a file of this version of the receiver; choose another one");
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(`${tables} PRAGMA user_version = ${formatVersion};`);
    return database;
  } catch (cause) {
    database?.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`cannot open ${file} as the receiver's database: ${reason}`, { cause });
  }
}

/** A ledger in the database of {@link openDatabase}. */
export function sqliteLedger(database: DatabaseSync): Ledger {
  const get = (sql: string, key: string) => database.prepare(sql).get(key);
  const run = (sql: string, ...values: (string | Uint8Array)[]) => database.prepare(sql).run(...values).changes;
  const find = (ingestId: string) => {
    const row = get("SELECT * FROM records WHERE ingest_id = ?", ingestId);
    return row && { ...recordOf(row), body: z.instanceof(Uint8Array).parse(row.body) };
  };
  const read = <Note>(key: string, schema: z.ZodType<Note>): Note | undefined => {
    const row = get("SELECT value FROM notes WHERE key = ?", key);
    return row && schema.parse(jsonIn(String(row.value)));
  };
  const write = (key: string, value: unknown) =>
    void run("INSERT OR REPLACE INTO notes VALUES (?, ?)", key, JSON.stringify(value));

  return {
    putIfAbsent: async ({ ingestId, receivedAt, body, ...facts }) => {
      const sql = "INSERT INTO records VALUES (?, ?, 'received', ?, ?) ON CONFLICT DO NOTHING";
      run(sql, ingestId, receivedAt, JSON.stringify(facts), body);
      return find(ingestId)?.status ?? "received";
    },
    putUnqueued: () => Promise.reject(new Error("the local receiver has one file for the queue and the ledger")),
    listUnqueued: async function* () {},
    updateStatus: async ({ ingestId }, status) => {
      if (run("UPDATE records SET status = ? WHERE ingest_id = ?", status, ingestId) !== 0) return;
      throw new Error(`cannot update the status of ${ingestId}: the ledger has no such record`);
    },
    find: async (ingestId) => find(ingestId),
    list: async function* ({ since, until = new Date().toISOString(), eventType, tenantId }) {
      const period = "received_at BETWEEN ? AND ? ORDER BY received_at DESC, ingest_id DESC";
      const rows = database.prepare(`SELECT ingest_id, received_at, status, facts FROM records WHERE ${period}`);
      for (const record of rows.all(since, until).map(recordOf)) {
        if (eventType !== undefined && record.eventType !== eventType) continue;
        if (tenantId === undefined || record.tenantId === tenantId) yield record;
      }
    },
    findObservations: async (events) => {
      const found = events.map(tenantEventKey).map((key) => [key, read(key, observationSchema)] as const);
      return new Map(found.flatMap(([key, observation]) => (observation ? [[key, observation]] : [])));
    },
    putObservation: async (event, observation, replaceable) => {
      const existing = read(tenantEventKey(event), observationSchema);
      if (existing !== undefined && !replaceable.includes(existing.state)) return existing;
      write(tenantEventKey(event), observation);
      return undefined;
    },
    baselineCompletedAt: async () => read("baseline", z.string()),
    completeBaseline: async (at) => write("baseline", at),
    reserveSweep: async (now, until) => {
      const isFree = (read("sweep", z.string()) ?? "") <= now;
      if (isFree) write("sweep", until);
      return isFree;
    },
  };
}

function recordOf({ ingest_id: ingestId, received_at: receivedAt, status, facts }: Record<string, unknown>) {
  return listedRecordSchema.parse({ ...Object(jsonIn(String(facts))), ingestId, receivedAt, status });
}
