import type { MetadataRecord } from "../entities/tenant.ts";
import { parseExactJson } from "../rules/json.ts";
import { delayedRows } from "./delayed-visibility.ts";
import type { Statements } from "./statements.ts";

export interface MetadataStore {
  /** The latest metadata; undefined when none were ever written. */
  find(tenantId: number): MetadataRecord | undefined;
  /** The metadata that readers see at `now`, in milliseconds since the epoch. */
  findVisible(tenantId: number, now: number): MetadataRecord | undefined;
  /** @param visibleAt when readers see the metadata; undefined means at once. */
  write(metadata: MetadataRecord, visibleAt?: number): void;
}

export function metadataStore(statements: Statements): MetadataStore {
  const rows = delayedRows(statements, "metadata");
  return {
    find: (tenantId) => parseFound(statements.value("SELECT written FROM metadata WHERE id = ?", tenantId)),
    findVisible: (tenantId, now) => {
      rows.publishDue(now);
      return parseFound(
        statements.value("SELECT visible FROM metadata WHERE id = ? AND visible IS NOT NULL", tenantId),
      );
    },
    write: (metadata, visibleAt) => rows.write(metadata.tenant_id, JSON.stringify(metadata), visibleAt),
  };
}

function parseFound(document: unknown): MetadataRecord | undefined {
  return document === undefined ? undefined : parseExactJson(String(document));
}
