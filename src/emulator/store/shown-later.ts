import type { Statements } from "./statements.ts";

/** A table whose rows have a `written` document, the truth, and a `shown` one, what readers see. */
export interface ShownLater {
  /** Makes what is due visible. To be called before each read. */
  showDue(now: number): void;
  /** @param shownAt when readers see it, in milliseconds since the epoch; undefined means at once. */
  write(id: number, document: string, shownAt: number | undefined): void;
}

export function shownLater(statements: Statements, table: "tenants" | "metadata"): ShownLater {
  return {
    showDue: (now) => {
      const isAnyDue = statements.value(`SELECT 1 FROM ${table} WHERE shown_at <= ? LIMIT 1`, now) !== undefined;
      if (isAnyDue) statements.run(`UPDATE ${table} SET shown = written, shown_at = NULL WHERE shown_at <= ?`, now);
    },
    write: (id, document, shownAt) => {
      const shown = shownAt === undefined ? document : null;
      statements.run(
        `INSERT INTO ${table} (id, written, shown, shown_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           written = excluded.written, shown = coalesce(excluded.shown, shown), shown_at = excluded.shown_at`,
        id,
        document,
        shown,
        shownAt ?? null,
      );
    },
  };
}
