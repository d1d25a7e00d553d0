import { DatabaseSync } from "node:sqlite";

const formatVersion = 2;

/**
 * Opens the SQLite database of a local receiver and creates its tables if they are missing. A commit is on the disk when
 * it returns, so that an acknowledged webhook survives a kill and a power failure.
 *
 * @param file created if it does not exist. Default: a database in memory.
 * @throws Error if the file is not a database of a receiver, or one of another version.
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
    throw new Error(`cannot open ${file} as the receiver's database: ${reason}`, { cause });
  }
}

function prepareTables(database: DatabaseSync): void {
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  if (version === formatVersion) return;
  if (version !== 0) {
    throw new Error(`its format is ${version}, but this version needs ${formatVersion}; choose another file`);
  }
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
  CREATE TABLE observations (
    tenant_event TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    at TEXT NOT NULL,
    ingest_id TEXT
  ) WITHOUT ROWID;
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
