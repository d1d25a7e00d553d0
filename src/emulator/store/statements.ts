import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

/** Runs SQL. Each statement is prepared once. */
export interface Statements {
  run(sql: string, ...values: SQLInputValue[]): void;
  /** The first column of the first row; undefined when there is no row. */
  value(sql: string, ...values: SQLInputValue[]): SQLOutputValue | undefined;
  /** The first column of every row. */
  values(sql: string, ...values: SQLInputValue[]): SQLOutputValue[];
}

export function createStatements(database: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const firstColumn = (row: Record<string, SQLOutputValue>) => Object.values(row)[0] ?? null;

  return {
    run: (sql, ...values) => {
      prepare(sql).run(...values);
    },
    value: (sql, ...values) => {
      const row = prepare(sql).get(...values);
      return row && firstColumn(row);
    },
    values: (sql, ...values) =>
      prepare(sql)
        .all(...values)
        .map(firstColumn),
  };
}

/** Runs `work` in a transaction, which is rolled back when `work` throws. A nested call joins the outer transaction. */
export type Transaction = <T>(work: () => T) => T;

export function createTransaction(database: DatabaseSync): Transaction {
  let isOpen = false;
  return (work) => {
    if (isOpen) return work();
    database.exec("BEGIN IMMEDIATE");
    isOpen = true;
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    } finally {
      isOpen = false;
    }
  };
}
