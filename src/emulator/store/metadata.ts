import type { MetadataRecord } from "../entities/tenant.ts";
import { parseExactJson } from "../rules/json.ts";
import { delayedRows, type HiddenPeriod } from "./delayed-visibility.ts";
import type { Statements, Transaction } from "./statements.ts";

export interface MetadataStore {
  /** The latest metadata; undefined when none were ever written. */
  find(tenantId: number): MetadataRecord | undefined;
  /** The metadata that readers see at `now`, in milliseconds since the epoch. */
  findVisible(tenantId: number, now: number): MetadataRecord | undefined;
  /** @param hidden when readers do not see the metadata; undefined means that they see them at once. */
  write(metadata: MetadataRecord, hidden?: HiddenPeriod): void;
}

export function metadataStore(statements: Statements, transaction: Transaction): MetadataStore {
  const rows = delayedRows(statements, transaction, "metadata");
  return {
    find: (tenantId) => parseFound(statements.value("SELECT written FROM metadata WHERE id = ?", tenantId)),
    findVisible: (tenantId, now) => {
      rows.publishDue(now);
      return parseFound(
        statements.value("SELECT visible FROM metadata WHERE id = ? AND visible IS NOT NULL", tenantId),
      );
    },
    write: (metadata, hidden) => rows.write(metadata.tenant_id, JSON.stringify(metadata), hidden),
  };
}

function parseFound(document: unknown): MetadataRecord | undefined {
  return document === undefined ? undefined : parseExactJson(String(document));
}
