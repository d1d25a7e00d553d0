import type { DatabaseSync } from "node:sqlite";

/** Does a piece of work in a transaction; resolves to its result once that is committed. */
export type Commit = <Result>(work: () => Result) => Promise<Result>;

/**
 * Commits together what is asked for at the same moment: a commit waits for the disk, and that wait is the same for one
 * piece of work or for a hundred. Where one fails, none of them is done, and all are told so.
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

  return (work) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commitAll);
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      waiting.push({ run, reject });
    });
}

interface Waiting {
  /** Does the work, and gives what tells its result. */
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
