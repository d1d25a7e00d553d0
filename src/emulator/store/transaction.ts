import type { DatabaseSync } from "node:sqlite";

/** All of `work` or, when it throws, nothing of it. Inside another one, it is a part of that. */
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
