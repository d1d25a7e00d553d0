import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeCharts } from "../charts/write-charts.ts";
import type { Results } from "../results.ts";
import { withTables } from "./with-tables.ts";

/** The documents with tables of the results, relative to the root of the clone. */
export const documents = ["docs/performance.md", "docs/guides/backends.md", "bench/tables.md"] as const;

/** Writes the tables and charts of the results into the documents. Returns the names of the charts. */
export async function writeReport(results: Results): Promise<string[]> {
  for (const document of documents) {
    const path = join(import.meta.dirname, "../..", document);
    await writeFile(path, withTables(await readFile(path, "utf8"), results));
  }
  return writeCharts(results.courses);
}
