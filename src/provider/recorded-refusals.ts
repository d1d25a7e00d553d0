import { z } from "zod";
import { recordedLines } from "./line-file.ts";

/**
 * The environment variable that names the file to which a provider records refusals. `integration-platform drift` sets it
 * for its preview: the engine calls no provider about a deletion that it only plans, so nothing else shows in a preview that
 * an `up` will refuse to archive a tenant.
 */
export const refusalsFileKey = "INTEGRATION_PLATFORM_REFUSALS_FILE";

const refusalSchema = z.object({ tenantId: z.int(), reason: z.string() });

/** The reasons in the file by the ids of the tenants; none if no provider has written the file. */
export async function readRefusals(path: string): Promise<ReadonlyMap<number, string>> {
  const refusals = await recordedLines(path, refusalSchema);
  return new Map(refusals.map(({ tenantId, reason }) => [tenantId, reason]));
}
