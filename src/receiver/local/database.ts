import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

const formatVersion = 3;

/**
 * Opens the SQLite database of a local receiver and creates its tables if they are missing. A commit is on the disk when
 * it returns, so that an acknowledged webhook survives a kill and a power failure.
 *
 * @param file created if it does not exist. Default: a database in memory.
 * @throws Error if the file is not a database of a receiver, or one of another version.
 */
export function openDatabase(file?: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Resolved, because SQLite would take names such as ":memory:" and "file:..." for something else than a file.
    database = new DatabaseSync(file === undefined ? ":memory:" : resolve(file), { timeout: 5_000 });
    refuseOthers(database); // before the first change
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    prepareTables(database);
    return database;
  } catch (cause) {
    database?.close();
    throw cannotOpen(file, cause);
  }
}

/**
 * Opens the database of a local receiver for a command that reads it or writes to it, also while the receiver runs. A file
 * that no receiver has created stays as it is.
 *
 * @throws Error if there is no such file, if it is not a receiver's, or if {@link openDatabase} cannot open it.
 */
export function openExistingDatabase(file: string): DatabaseSync {
  if (!existsSync(file)) throw new Error(`there is no file ${file}; name the file of \`receiver --data\``);
  checkIsReceivers(file);
  return openDatabase(file);
}

function checkIsReceivers(file: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(resolve(file), { timeout: 5_000, readOnly: true });
    refuseOthers(database);
    if (versionOf(database) === 0) throw new Error(foreignFile);
  } catch (cause) {
    throw cannotOpen(file, cause);
  } finally {
    database?.close();
  }
}

/** Refuses another format, and another program's database, which often has no version. An empty file has neither. */
function refuseOthers(database: DatabaseSync): void {
  // One statement, because another receiver may be creating the tables.
  const statement =
    "SELECT user_version AS version, EXISTS (SELECT 1 FROM sqlite_schema) AS used FROM pragma_user_version";
  const { version, used } = database.prepare(statement).get() ?? {};
  if (version === formatVersion || (version === 0 && used === 0)) return;
  if (version === 0) throw new Error(foreignFile);
  throw new Error(`its format is ${version}, but this version needs ${formatVersion}; choose another file`);
}

const foreignFile = "it is not a receiver's file; choose another one";

function cannotOpen(file: string | undefined, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`cannot open ${file ?? "a database in memory"} as the receiver's database: ${reason}`, { cause });
}

function prepareTables(database: DatabaseSync): void {
  if (versionOf(database) === formatVersion) return;
  database.exec("BEGIN IMMEDIATE");
  // Read again, because another process may have created the tables meanwhile.
  if (versionOf(database) === 0) database.exec(`${tables} PRAGMA user_version = ${formatVersion};`);
  database.exec("COMMIT");
}

function versionOf(database: DatabaseSync) {
  return database.prepare("PRAGMA user_version").get()?.user_version;
}

// A queue's `receive_count` is how often the message was received and not consumed. A dead letter has the last error as
// text, which never contains the body of a webhook, and the time at which the message became a dead letter.
const tables = `
  CREATE TABLE queue (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message TEXT NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX queue_by_receive_count ON queue (receive_count);
  CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message TEXT NOT NULL,
    receive_count INTEGER NOT NULL,
    error TEXT NOT NULL,
    at TEXT NOT NULL
  );
  CREATE TABLE records (
    ingest_id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    received_at TEXT NOT NULL,
    source_ip TEXT,
    reconciled INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event_type TEXT,
    tenant_id INTEGER,
    run_id INTEGER,
    body BLOB NOT NULL
  );
  CREATE INDEX records_by_received_at ON records (received_at, ingest_id);
  CREATE TABLE observations (
    tenant_event TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    at TEXT NOT NULL,
    ingest_id TEXT
  ) WITHOUT ROWID;
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
