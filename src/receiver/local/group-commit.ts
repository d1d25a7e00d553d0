import type { DatabaseSync } from "node:sqlite";

/** Runs a write in a transaction. Resolves to its result once the transaction is committed. */
export type Commit = <Result>(write: () => Result) => Promise<Result>;

/**
 * Commits writes that are requested in the same turn of the event loop in one transaction, because each commit waits for
 * the disk. If one write fails, all of them are rolled back and rejected.
 */
export function groupCommit(database: DatabaseSync): Commit {
  let waiting: Waiting[] = [];

  const commitAll = () => {
    const group = waiting;
    waiting = [];
    try {
      const resolutions = inTransaction(database, () => group.map(({ run }) => run()));
      for (const resolve of resolutions) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return (write) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commitAll);
      const run = () => {
        const result = write();
        return () => resolve(result);
      };
      waiting.push({ run, reject });
    });
}

interface Waiting {
  /** Runs the write. Returns a function that resolves its promise, to be called after the commit. */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
