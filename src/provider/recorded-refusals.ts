import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ArchiveRefusal } from "../operation/operation-context.ts";

/**
 * The environment variable that names the file to which a provider records refusals. `integration-platform drift` sets it
 * for its preview: the engine calls no provider about a deletion that it only plans, so nothing else shows in a preview that
 * an `up` will refuse to archive a tenant.
 */
export const refusalsFileKey = "INTEGRATION_PLATFORM_REFUSALS_FILE";

const refusalSchema = z.object({ tenantId: z.int(), reason: z.string() });

/** Writes each refusal as a line of the file, at once, because the engine kills its providers; or nothing without a file. */
export function refusalRecorder(path: string | undefined): (refusal: ArchiveRefusal) => void {
  if (path === undefined || path === "") return () => {};
  return (refusal) => appendFileSync(path, `${JSON.stringify(refusal)}\n`);
}

/** The reasons in the file by the ids of the tenants; none if no provider has written the file. */
export async function readRefusals(path: string): Promise<ReadonlyMap<number, string>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const refusals = text
    .split("\n")
    .filter(Boolean)
    .map((line) => refusalSchema.parse(JSON.parse(line)));
  return new Map(refusals.map(({ tenantId, reason }) => [tenantId, reason]));
}
