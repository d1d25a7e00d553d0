import { DatabaseSync } from "node:sqlite";

const formatVersion = 1;

/**
 * Opens the database of a local receiver: a file, which is made if need be, or in memory when none is given. A commit is
 * on the disk when it returns, so that neither a kill nor a power cut takes back what was acknowledged.
 *
 * @throws Error for a file that is something else, or of another version.
 */
export function openDatabase(file = ":memory:"): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 5_000 });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    prepareTables(database);
    return database;
  } catch (cause) {
    database?.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} cannot be used as a receiver's data: ${reason}`, { cause });
  }
}

function prepareTables(database: DatabaseSync): void {
  const found = database.prepare("PRAGMA user_version").get()?.user_version;
  if (found === formatVersion) return;
  if (found !== 0) throw new Error(`it has the format ${found}, not ${formatVersion}; give another file`);
  database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${formatVersion}; COMMIT;`);
}

const tables = `
  CREATE TABLE queue (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message TEXT NOT NULL
  );
  CREATE TABLE records (
    ingest_id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    received_at TEXT NOT NULL,
    source_ip TEXT,
    reconciled INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event_type TEXT,
    body BLOB NOT NULL
  );
  CREATE TABLE sightings (
    subject TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    at TEXT NOT NULL,
    ingest_id TEXT
  ) WITHOUT ROWID;
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
