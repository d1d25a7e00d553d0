import { openDatabase } from "./database.ts";
import { type IntegrationStore, integrationStore } from "./integrations.ts";
import { type MetadataStore, metadataStore } from "./metadata.ts";
import { type ReleaseStore, releaseStore } from "./releases.ts";
import { createStatements } from "./statements.ts";
import { type TenantStore, tenantStore } from "./tenants.ts";

/** The emulator's state, over an embedded database. Everything is synchronous, so a request is never half seen. */
export interface Store {
  readonly integrations: IntegrationStore;
  readonly releases: ReleaseStore;
  readonly tenants: TenantStore;
  readonly metadata: MetadataStore;
  /** Whether nothing was ever put in. */
  isEmpty(): boolean;
  /** All of `work` or, when it throws, nothing of it. Not to be nested. */
  transaction<T>(work: () => T): T;
  /** Removes everything. */
  clear(): void;
  close(): void;
}

/** @param directory where to keep the database's file; in memory when undefined. */
export function openStore(directory?: string): Store {
  const database = openDatabase(directory);
  const statements = createStatements(database);
  return {
    integrations: integrationStore(statements),
    releases: releaseStore(statements),
    tenants: tenantStore(statements),
    metadata: metadataStore(statements),
    isEmpty: () => statements.value("SELECT EXISTS (SELECT 1 FROM integrations)") === 0,
    transaction: (work) => {
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    clear: () => {
      for (const table of ["metadata", "tenants", "releases", "integrations"]) database.exec(`DELETE FROM ${table}`);
    },
    close: () => database.close(),
  };
}
