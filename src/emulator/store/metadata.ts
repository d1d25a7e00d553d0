import type { MetadataRecord } from "../entities/tenant.ts";
import { parseKeepingNumbers } from "../rules/kept-numbers.ts";
import { shownLater } from "./shown-later.ts";
import type { Statements } from "./statements.ts";

export interface MetadataStore {
  /** As last written; undefined when it never was. */
  find(tenantId: number): MetadataRecord | undefined;
  /** As readers see it at `now` (milliseconds since the epoch). */
  findShown(tenantId: number, now: number): MetadataRecord | undefined;
  /** @param shownAt when readers see it; undefined means at once. */
  write(metadata: MetadataRecord, shownAt?: number): void;
}

export function metadataStore(statements: Statements): MetadataStore {
  const rows = shownLater(statements, "metadata");
  return {
    find: (tenantId) => parseFound(statements.value("SELECT written FROM metadata WHERE id = ?", tenantId)),
    findShown: (tenantId, now) => {
      rows.showDue(now);
      return parseFound(statements.value("SELECT shown FROM metadata WHERE id = ? AND shown IS NOT NULL", tenantId));
    },
    write: (metadata, shownAt) => rows.write(metadata.tenant_id, JSON.stringify(metadata), shownAt),
  };
}

function parseFound(document: unknown): MetadataRecord | undefined {
  return document === undefined ? undefined : parseKeepingNumbers(String(document));
}
