import type { DeliveryRecord, EmailRecord } from "../entities/event.ts";
import type { BuildRecord } from "../entities/release.ts";
import type { ApiKeyRecord } from "../entities/settings.ts";
import { openDatabase } from "./database.ts";
import { type Documents, documents } from "./documents.ts";
import { type IntegrationStore, integrationStore, type ReleaseStore, releaseStore } from "./integrations.ts";
import { type JobStore, jobStore } from "./jobs.ts";
import { type MetadataStore, metadataStore } from "./metadata.ts";
import { type ReleaseAdoptionStore, releaseAdoptionStore } from "./release-adoption.ts";
import { type RunStore, runStore, type TriggerStore, triggerStore } from "./runs.ts";
import { type SettingsStore, settingsStore } from "./settings.ts";
import { createStatements, createTransaction, type Transaction } from "./statements.ts";
import { type TenantStore, tenantStore } from "./tenants.ts";

/**
 * The state of the emulator, in an embedded database. Every call is synchronous, so no request sees half of another
 * one.
 */
export interface Store {
  readonly integrations: IntegrationStore;
  readonly releases: ReleaseStore;
  readonly releaseAdoption: ReleaseAdoptionStore;
  readonly tenants: TenantStore;
  readonly metadata: MetadataStore;
  readonly builds: Documents<BuildRecord>;
  readonly triggers: TriggerStore;
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly deliveries: Documents<DeliveryRecord>;
  readonly emails: Documents<EmailRecord>;
  readonly apiKeys: Documents<ApiKeyRecord>;
  readonly settings: SettingsStore;
  /** Whether the file was just upgraded from format 1, which had no jobs. */
  readonly isUpgradedFromFormat1: boolean;
  /** Whether there are no integrations and no settings, as in a new database. */
  isEmpty(): boolean;
  readonly transaction: Transaction;
  /** Removes everything but the signing key and the time of the clock. */
  clear(): void;
  close(): void;
}

/** @param directory the directory of the database's file; undefined means in memory. */
export function openStore(directory?: string): Store {
  const { database, isUpgradedFromFormat1 } = openDatabase(directory);
  const statements = createStatements(database);
  const transaction = createTransaction(database);
  return {
    integrations: integrationStore(statements),
    releases: releaseStore(statements),
    releaseAdoption: releaseAdoptionStore(statements),
    tenants: tenantStore(statements, transaction),
    metadata: metadataStore(statements, transaction),
    builds: documents<BuildRecord>(statements, "builds", 1),
    triggers: triggerStore(statements),
    runs: runStore(statements),
    jobs: jobStore(statements),
    deliveries: documents<DeliveryRecord>(statements, "deliveries", 1),
    emails: documents<EmailRecord>(statements, "emails", 1),
    apiKeys: documents<ApiKeyRecord>(statements, "api_keys", 1),
    settings: settingsStore(statements),
    isUpgradedFromFormat1,
    isEmpty: () =>
      statements.value(
        "SELECT EXISTS (SELECT 1 FROM integrations) OR EXISTS (SELECT 1 FROM settings WHERE name = 'settings')",
      ) === 0,
    transaction,
    clear: () => {
      for (const table of clearedTables) database.exec(`DELETE FROM ${table}`);
      database.exec("DELETE FROM settings WHERE name = 'settings'");
    },
    close: () => database.close(),
  };
}

const clearedTables = [
  "hidden_metadata",
  "hidden_tenants",
  "metadata",
  "tenants",
  "releases",
  "release_adoption",
  "integrations",
  "builds",
  "triggers",
  "runs",
  "jobs",
  "deliveries",
  "emails",
  "api_keys",
];
