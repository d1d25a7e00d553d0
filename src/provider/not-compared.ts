import { z } from "zod";
import { recordedLines } from "./line-file.ts";

/**
 * The environment variable that names the file to which a provider records values that a read could not compare, as their
 * secrets were not resolved. `integration-platform drift` sets it for its preview. They are not in the state: otherwise each
 * refresh while a resolver is down would change it, and the next one would change it back.
 */
export const notComparedFileKey = "INTEGRATION_PLATFORM_NOT_COMPARED_FILE";

const lineSchema = z.object({ tenantId: z.int(), paths: z.array(z.array(z.string())) });

/** How many values the file has; a value that several reads have recorded counts once. */
export async function countNotCompared(path: string): Promise<number> {
  const lines = await recordedLines(path, lineSchema);
  const values = lines.flatMap(({ tenantId, paths }) => paths.map((place) => JSON.stringify([tenantId, place])));
  return new Set(values).size;
}
