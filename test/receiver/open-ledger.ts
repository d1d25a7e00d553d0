import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Ledger } from "../../src/receiver/ledger/ledger.ts";
import { openDatabase, sqliteLedger } from "../../src/receiver/local/sqlite-ledger.ts";

/** Opens an empty ledger, closed when the test ends. */
export function openLedger(file?: string): Ledger {
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return sqliteLedger(database);
}

/** The path of a file that does not exist yet, removed when the test ends. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), "receiver-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, "receiver.sqlite");
}
