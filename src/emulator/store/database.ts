import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The file of an emulator's state in its data directory. */
export const databaseFile = "emulator.sqlite";

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Whether it was of format 1, which had neither runs nor an agenda. */
  readonly isUpgraded: boolean;
}

/**
 * Opens the database: a file in `directory`, which is created if need be, or in memory when none is given.
 *
 * @throws Error when the file was written by another version of the emulator, save format 1, which is upgraded.
 */
export function openDatabase(directory?: string): OpenedDatabase {
  const path = directory === undefined ? ":memory:" : join(directory, databaseFile);
  if (directory !== undefined) mkdirSync(directory, { recursive: true });

  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  return { database, isUpgraded: prepareTables(database, path) };
}

const schemaVersion = 2;

function prepareTables(database: DatabaseSync, path: string): boolean {
  const found = database.prepare("PRAGMA user_version").get()?.user_version;
  if (found === schemaVersion) return false;
  if (found !== 0 && found !== 1) {
    database.close();
    throw new Error(
      `${path} has the format ${found}, this emulator needs ${schemaVersion}: remove it or use another data directory`,
    );
  }
  database.exec(
    `BEGIN; ${found === 0 ? tables : ""} ${tablesSinceFormat2} PRAGMA user_version = ${schemaVersion}; COMMIT;`,
  );
  return found === 1;
}

// Records are JSON documents; the columns that lists filter and sort by are generated from them, and stand before the
// documents so that reading one does not walk through a long document.
// `written` is the truth, `shown` what readers see: they differ only for a moment, in the variant "visibility=delayed".
const tables = `
  CREATE TABLE integrations (
    id INTEGER PRIMARY KEY,
    name TEXT AS (document ->> '$.name') STORED,
    archived INTEGER AS (document ->> '$.archived') STORED,
    created_date TEXT AS (document ->> '$.created_date') STORED,
    modified_date TEXT AS (document ->> '$.modified_date') STORED,
    document TEXT NOT NULL
  );
  CREATE TABLE releases (
    id INTEGER PRIMARY KEY,
    integration_id INTEGER AS (document ->> '$.integration_id') STORED,
    created_date TEXT AS (document ->> '$.created_date') STORED,
    document TEXT NOT NULL
  );
  CREATE INDEX releases_of_integration ON releases (integration_id, created_date);
  CREATE TABLE tenants (
    id INTEGER PRIMARY KEY,
    name TEXT AS (shown ->> '$.name') STORED,
    integration_id INTEGER AS (shown ->> '$.integration_id') STORED,
    archived INTEGER AS (CASE WHEN shown IS NULL THEN NULL ELSE coalesce(shown ->> '$.archived', 0) END) STORED,
    user_name TEXT AS (shown ->> '$.user_name') STORED,
    created_date TEXT AS (shown ->> '$.created_date') STORED,
    modified_date TEXT AS (shown ->> '$.modified_date') STORED,
    live_name TEXT AS (CASE WHEN written ->> '$.archived' THEN NULL ELSE written ->> '$.name' END) STORED,
    shown_at INTEGER,
    shown TEXT,
    written TEXT NOT NULL
  );
  CREATE INDEX tenants_by_state ON tenants (archived);
  CREATE INDEX tenants_of_integration ON tenants (integration_id, archived);
  CREATE INDEX tenants_by_name ON tenants (archived, name);
  CREATE INDEX tenants_by_created_date ON tenants (archived, created_date);
  CREATE INDEX tenants_by_modified_date ON tenants (archived, modified_date);
  CREATE INDEX tenants_by_user ON tenants (user_name, archived) WHERE user_name IS NOT NULL;
  CREATE INDEX tenants_by_live_name ON tenants (live_name);
  CREATE INDEX tenants_not_shown ON tenants (shown_at) WHERE shown_at IS NOT NULL;
  CREATE TABLE metadata (
    id INTEGER PRIMARY KEY,
    shown_at INTEGER,
    shown TEXT,
    written TEXT NOT NULL
  );
  CREATE INDEX metadata_not_shown ON metadata (shown_at) WHERE shown_at IS NOT NULL;
`;

// Ids that somebody may still hold after a reset are AUTOINCREMENT: they are never used again.
const tablesSinceFormat2 = `
  CREATE TABLE builds (id INTEGER PRIMARY KEY, document TEXT NOT NULL);
  CREATE TABLE triggers (
    id INTEGER PRIMARY KEY,
    trigger_id TEXT AS (document ->> '$.trigger_id') STORED,
    waiting_tenant INTEGER AS (CASE WHEN document ->> '$.run_id' IS NULL THEN document ->> '$.tenant_id' END) STORED,
    run_id INTEGER AS (document ->> '$.run_id') STORED,
    document TEXT NOT NULL
  );
  CREATE UNIQUE INDEX triggers_by_trigger_id ON triggers (trigger_id);
  CREATE INDEX triggers_waiting ON triggers (waiting_tenant) WHERE waiting_tenant IS NOT NULL;
  CREATE INDEX triggers_of_run ON triggers (run_id);
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    tenant_id INTEGER AS (document ->> '$.tenant_id') STORED,
    unfinished TEXT AS (CASE WHEN document ->> '$.phase' IN ('pending', 'running') THEN document ->> '$.phase' END) STORED,
    log TEXT,
    document TEXT NOT NULL
  );
  CREATE INDEX runs_of_tenant ON runs (tenant_id);
  CREATE INDEX runs_unfinished ON runs (tenant_id, unfinished) WHERE unfinished IS NOT NULL;
  CREATE TABLE agenda (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    due_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject INTEGER NOT NULL,
    detail TEXT,
    UNIQUE (kind, subject)
  );
  CREATE INDEX agenda_by_time ON agenda (due_at);
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    outcome TEXT AS (document ->> '$.outcome') STORED,
    document TEXT NOT NULL
  );
  CREATE INDEX deliveries_by_outcome ON deliveries (outcome);
  CREATE TABLE emails (id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL);
  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT AS (document ->> '$.digest') STORED,
    document TEXT NOT NULL
  );
  CREATE INDEX api_keys_by_digest ON api_keys (digest);
  CREATE TABLE settings (name TEXT PRIMARY KEY, document TEXT NOT NULL);
`;
