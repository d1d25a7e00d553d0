import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/** The name of the file in the data directory that holds an emulator's state. */
export const databaseFile = "emulator.sqlite";

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Whether the file had format 1, which had neither runs nor jobs. */
  readonly isUpgradedFromFormat1: boolean;
}

/**
 * Opens the database: a file in `directory`, which is created when it is missing, or in memory when `directory` is
 * undefined. A file of an older format is upgraded.
 *
 * @throws Error when a newer emulator wrote the file.
 */
export function openDatabase(directory?: string): OpenedDatabase {
  const path = directory === undefined ? ":memory:" : join(directory, databaseFile);
  if (directory !== undefined) mkdirSync(directory, { recursive: true });

  // A static import would fail on an old Node.js before the package can say which version it needs.
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(path, { timeout: 5_000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  const found = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  const upgrade = upgrades[found];
  if (upgrade === undefined) {
    database.close();
    throw new Error(
      `The emulator cannot read ${path}: it has the format ${found}, and this emulator needs format ${currentFormat}. Remove the file, or use another data directory.`,
    );
  }
  if (found !== currentFormat) database.exec(`BEGIN; ${upgrade} PRAGMA user_version = ${currentFormat}; COMMIT;`);
  return { database, isUpgradedFromFormat1: found === 1 };
}

const currentFormat = 5;

// Records are JSON documents. The columns that lists filter and sort by are generated from the documents. They stand
// before the document, so that SQLite can read them without reading a long document.
// `written` is the latest document, `visible` the one that readers see. They differ only in the variants visibility=delayed
// and visibility=lagging.
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
    name TEXT AS (visible ->> '$.name') STORED,
    integration_id INTEGER AS (visible ->> '$.integration_id') STORED,
    archived INTEGER AS (CASE WHEN visible IS NULL THEN NULL ELSE coalesce(visible ->> '$.archived', 0) END) STORED,
    user_name TEXT AS (visible ->> '$.user_name') STORED,
    created_date TEXT AS (visible ->> '$.created_date') STORED,
    modified_date TEXT AS (visible ->> '$.modified_date') STORED,
    live_name TEXT AS (CASE WHEN written ->> '$.archived' THEN NULL ELSE written ->> '$.name' END) STORED,
    visible TEXT,
    written TEXT NOT NULL
  );
  CREATE INDEX tenants_by_state ON tenants (archived);
  CREATE INDEX tenants_of_integration ON tenants (integration_id, archived);
  CREATE INDEX tenants_by_name ON tenants (archived, name);
  CREATE INDEX tenants_by_created_date ON tenants (archived, created_date);
  CREATE INDEX tenants_by_modified_date ON tenants (archived, modified_date);
  CREATE INDEX tenants_by_user ON tenants (user_name, archived) WHERE user_name IS NOT NULL;
  CREATE INDEX tenants_by_live_name ON tenants (live_name);
  CREATE TABLE metadata (
    id INTEGER PRIMARY KEY,
    visible TEXT,
    written TEXT NOT NULL
  );
`;

// AUTOINCREMENT never uses an id again: somebody may still hold an id after a reset.
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
  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    due_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject INTEGER NOT NULL,
    detail TEXT,
    UNIQUE (kind, subject)
  );
  CREATE INDEX jobs_by_time ON jobs (due_at);
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

const tablesSinceFormat4 = `
  CREATE TABLE release_adoption (
    integration_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    release_id INTEGER NOT NULL,
    change INTEGER NOT NULL,
    PRIMARY KEY (integration_id, at, release_id)
  ) WITHOUT ROWID;
`;

// The documents that readers do not see yet.
const tablesSinceFormat5 = `
  CREATE TABLE hidden_tenants (
    id INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (id, visible_at)
  );
  CREATE INDEX hidden_tenants_by_time ON hidden_tenants (visible_at);
  CREATE TABLE hidden_metadata (
    id INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (id, visible_at)
  );
  CREATE INDEX hidden_metadata_by_time ON hidden_metadata (visible_at);
`;

// Format 4 had the time in the row, for the latest document only. The names of the indexes are from the formats 1 and 2, or
// from later ones.
const upgradeOfFormat4 = `
  ${tablesSinceFormat5}
  INSERT INTO hidden_tenants SELECT id, visible_at, written FROM tenants WHERE visible_at IS NOT NULL;
  INSERT INTO hidden_metadata SELECT id, visible_at, written FROM metadata WHERE visible_at IS NOT NULL;
  DROP INDEX IF EXISTS tenants_not_visible;
  DROP INDEX IF EXISTS tenants_not_shown;
  DROP INDEX IF EXISTS metadata_not_visible;
  DROP INDEX IF EXISTS metadata_not_shown;
  ALTER TABLE tenants DROP COLUMN visible_at;
  ALTER TABLE metadata DROP COLUMN visible_at;
`;

const renamesSinceFormat2 = `
  ALTER TABLE tenants RENAME COLUMN shown TO visible;
  ALTER TABLE tenants RENAME COLUMN shown_at TO visible_at;
  ALTER TABLE metadata RENAME COLUMN shown TO visible;
  ALTER TABLE metadata RENAME COLUMN shown_at TO visible_at;
`;

/** What turns a file of each format into one of the current format; 0 is a new file. */
const upgrades: Readonly<Record<number, string>> = {
  0: tables + tablesSinceFormat2 + tablesSinceFormat4 + tablesSinceFormat5,
  1: renamesSinceFormat2 + tablesSinceFormat2 + tablesSinceFormat4 + upgradeOfFormat4,
  2: `${renamesSinceFormat2} ALTER TABLE agenda RENAME TO jobs; ${tablesSinceFormat4} ${upgradeOfFormat4}`,
  3: tablesSinceFormat4 + upgradeOfFormat4,
  4: upgradeOfFormat4,
  [currentFormat]: "",
};
