import { realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";

/** Excludes other receivers from a file. */
export interface LedgerLock {
  release(): void;
}

/**
 * Locks the file of a local receiver: two receivers would consume the same messages, and publish their events twice. The
 * lock is one of the operating system on `<file>.lock`, so that it ends with the process, also if the process is killed.
 * Commands may read the file and write to it beside the receiver.
 *
 * @param file exists.
 * @throws Error if another receiver has locked the file. Its message has that receiver's process id.
 */
export function lockLedger(file: string): LedgerLock {
  // A link to the file leads to the same lock.
  const path = `${realpathSync(file)}.lock`;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: waitMilliseconds });
    database.exec("CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL, since TEXT NOT NULL)");
    hold(database);
  } catch (cause) {
    const holder = isBusy(cause) && database !== undefined ? readHolder(database) : undefined;
    database?.close();
    if (!isBusy(cause)) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`cannot lock ${file} by the file ${path}: ${reason}`, { cause });
    }
    throw new Error(`another receiver${holder ?? ""} uses ${file}; stop it, or choose another file`, { cause });
  }
  return { release: () => database.close() };
}

/** Long enough for a process that only reads the holder. */
const waitMilliseconds = 1_000;

/**
 * Writes who holds the lock, and takes the lock. An open write transaction is the lock: it refuses other writers, and others
 * can read who holds it. Writing the holder needs a transaction of its own, after which another process may come first.
 */
function hold(database: DatabaseSync): void {
  database.exec("BEGIN IMMEDIATE; DELETE FROM holder");
  database.prepare("INSERT INTO holder (pid, since) VALUES (?, ?)").run(process.pid, new Date().toISOString());
  database.exec("COMMIT; BEGIN IMMEDIATE");
}

const holderSchema = z.object({ pid: z.number(), since: z.string() });

function readHolder(database: DatabaseSync): string | undefined {
  try {
    const { data } = holderSchema.safeParse(database.prepare("SELECT pid, since FROM holder").get());
    return data && ` (process ${data.pid}, since ${data.since})`;
  } catch {
    return undefined; // the holder is being written
  }
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "errcode") === sqliteBusy;
}
