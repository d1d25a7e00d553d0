import type { Statements } from "./statements.ts";

/** A table whose rows hold two documents: `written`, the latest, and `visible`, the one that readers see. */
export interface DelayedRows {
  /** Makes the documents visible whose time has come. Call it before each read. */
  publishDue(now: number): void;
  /** @param visibleAt when readers see the document, in milliseconds since the epoch; undefined means at once. */
  write(id: number, document: string, visibleAt: number | undefined): void;
}

export function delayedRows(statements: Statements, table: "tenants" | "metadata"): DelayedRows {
  return {
    publishDue: (now) => {
      const isAnyDue = statements.value(`SELECT 1 FROM ${table} WHERE visible_at <= ? LIMIT 1`, now) !== undefined;
      if (!isAnyDue) return;
      statements.run(`UPDATE ${table} SET visible = written, visible_at = NULL WHERE visible_at <= ?`, now);
    },
    write: (id, document, visibleAt) => {
      const visible = visibleAt === undefined ? document : null;
      statements.run(
        `INSERT INTO ${table} (id, written, visible, visible_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           written = excluded.written, visible = coalesce(excluded.visible, visible), visible_at = excluded.visible_at`,
        id,
        document,
        visible,
        visibleAt ?? null,
      );
    },
  };
}
