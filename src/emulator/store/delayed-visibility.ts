import type { Statements, Transaction } from "./statements.ts";

/**
 * A table whose rows hold two documents: `written`, the latest, and `visible`, the one that readers see. The documents that
 * readers do not see yet are in a second table, so that readers see each of them at its own time.
 */
export interface DelayedRows {
  /** Makes the documents visible whose time has come. Call it before each read. */
  publishDue(now: number): void;
  /** @param hidden undefined means that readers see the document at once. */
  write(id: number, document: string, hidden: HiddenPeriod | undefined): void;
}

/** The time in which readers do not see a document, in milliseconds since the epoch. */
export interface HiddenPeriod {
  /** When the document is written. */
  readonly from: number;
  /** When readers see it, at the earliest. */
  readonly until: number;
}

export function delayedRows(
  statements: Statements,
  transaction: Transaction,
  table: "tenants" | "metadata",
): DelayedRows {
  const publishDue = (now: number) => {
    const isAnyDue = statements.value(`SELECT 1 FROM hidden_${table} WHERE visible_at <= ? LIMIT 1`, now) !== undefined;
    if (!isAnyDue) return;
    transaction(() => {
      // SQLite takes the document from the row with the maximum.
      statements.run(
        `UPDATE ${table} SET visible = latest.document
         FROM (SELECT id, document, max(visible_at) FROM hidden_${table} WHERE visible_at <= ? GROUP BY id) AS latest
         WHERE ${table}.id = latest.id`,
        now,
      );
      statements.run(`DELETE FROM hidden_${table} WHERE visible_at <= ?`, now);
    });
  };
  const hide = (id: number, document: string, { from, until }: HiddenPeriod) => {
    publishDue(from); // Without it, the documents would accumulate until somebody reads.
    // After a change of the lag, an older document may be hidden for longer than this one.
    statements.run(`DELETE FROM hidden_${table} WHERE id = ? AND visible_at >= ?`, id, until);
    statements.run(`INSERT INTO hidden_${table} (id, visible_at, document) VALUES (?, ?, ?)`, id, until, document);
    statements.run(
      `INSERT INTO ${table} (id, written) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET written = excluded.written`,
      id,
      document,
    );
  };
  const show = (id: number, document: string) => {
    statements.run(`DELETE FROM hidden_${table} WHERE id = ?`, id);
    statements.run(
      `INSERT INTO ${table} (id, written, visible) VALUES (?1, ?2, ?2)
       ON CONFLICT (id) DO UPDATE SET written = excluded.written, visible = excluded.visible`,
      id,
      document,
    );
  };
  return {
    publishDue,
    write: (id, document, hidden) => transaction(() => (hidden ? hide(id, document, hidden) : show(id, document))),
  };
}
