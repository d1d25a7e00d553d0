import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ValuesNotCompared } from "../operation/operation-context.ts";

/**
 * The environment variable that names the file to which a provider records values that a read could not compare, as their
 * secrets were not resolved. `integration-platform drift` sets it for its preview. They are not in the state: otherwise each
 * refresh while a resolver is down would change it, and the next one would change it back.
 */
export const notComparedFileKey = "INTEGRATION_PLATFORM_NOT_COMPARED_FILE";

const lineSchema = z.object({ tenantId: z.int(), paths: z.array(z.array(z.string())) });

/** Writes the values as a line of the file, at once, because the engine kills its providers; or nothing without a file. */
export function recorderOfNotCompared(path: string | undefined): (values: ValuesNotCompared) => void {
  if (path === undefined || path === "") return () => {};
  return (values) => {
    if (values.paths.length > 0) appendFileSync(path, `${JSON.stringify(values)}\n`);
  };
}

/** How many values the file has; a value that several reads have recorded counts once. */
export async function countNotCompared(path: string): Promise<number> {
  const text = await readFile(path, "utf8").catch(() => "");
  const values = text
    .split("\n")
    .filter(Boolean)
    .map((line) => lineSchema.parse(JSON.parse(line)))
    .flatMap(({ tenantId, paths }) => paths.map((place) => JSON.stringify([tenantId, place])));
  return new Set(values).size;
}
