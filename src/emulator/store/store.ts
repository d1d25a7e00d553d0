import type { ApiKeyRecord } from "../entities/api-key.ts";
import type { BuildRecord } from "../entities/build.ts";
import type { DeliveryRecord, EmailRecord } from "../entities/event.ts";
import { type AgendaStore, agendaStore } from "./agenda.ts";
import { openDatabase } from "./database.ts";
import { type Documents, documents } from "./documents.ts";
import { type IntegrationStore, integrationStore } from "./integrations.ts";
import { type MetadataStore, metadataStore } from "./metadata.ts";
import { type ReleaseStore, releaseStore } from "./releases.ts";
import { type RunStore, runStore, type TriggerStore, triggerStore } from "./runs.ts";
import { type SettingsStore, settingsStore } from "./settings.ts";
import { createStatements } from "./statements.ts";
import { type TenantStore, tenantStore } from "./tenants.ts";
import { createTransaction, type Transaction } from "./transaction.ts";

/** The emulator's state, over an embedded database. Everything is synchronous, so a request is never half seen. */
export interface Store {
  readonly integrations: IntegrationStore;
  readonly releases: ReleaseStore;
  readonly tenants: TenantStore;
  readonly metadata: MetadataStore;
  readonly builds: Documents<BuildRecord>;
  readonly triggers: TriggerStore;
  readonly runs: RunStore;
  readonly agenda: AgendaStore;
  readonly deliveries: Documents<DeliveryRecord>;
  readonly emails: Documents<EmailRecord>;
  readonly apiKeys: Documents<ApiKeyRecord>;
  readonly settings: SettingsStore;
  /** Whether it was just brought up from a format that had no agenda. */
  readonly isUpgraded: boolean;
  /** Whether nothing was ever put in. */
  isEmpty(): boolean;
  readonly transaction: Transaction;
  /** Removes everything, save the signing key and the clock. */
  clear(): void;
  close(): void;
}

/** @param directory where to keep the database's file; in memory when undefined. */
export function openStore(directory?: string): Store {
  const { database, isUpgraded } = openDatabase(directory);
  const statements = createStatements(database);
  return {
    integrations: integrationStore(statements),
    releases: releaseStore(statements),
    tenants: tenantStore(statements),
    metadata: metadataStore(statements),
    builds: documents<BuildRecord>(statements, "builds", 1),
    triggers: triggerStore(statements),
    runs: runStore(statements),
    agenda: agendaStore(statements),
    deliveries: documents<DeliveryRecord>(statements, "deliveries", 1),
    emails: documents<EmailRecord>(statements, "emails", 1),
    apiKeys: documents<ApiKeyRecord>(statements, "api_keys", 1),
    settings: settingsStore(statements),
    isUpgraded,
    isEmpty: () => statements.value("SELECT EXISTS (SELECT 1 FROM integrations)") === 0,
    transaction: createTransaction(database),
    clear: () => {
      for (const table of clearedTables) database.exec(`DELETE FROM ${table}`);
      database.exec("DELETE FROM settings WHERE name = 'settings'");
    },
    close: () => database.close(),
  };
}

const clearedTables = [
  "metadata",
  "tenants",
  "releases",
  "integrations",
  "builds",
  "triggers",
  "runs",
  "agenda",
  "deliveries",
  "emails",
  "api_keys",
];
