import { appendFileSync, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { PlatformTime } from "../operation/platform-time.ts";

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

/**
 * The environment variable that names the file to which a provider records the platform's time as often as it asks for it.
 * `integration-platform drift` sets it for its preview, as its report has no connection to the platform.
 */
export const timeFileKey = "INTEGRATION_PLATFORM_TIME_FILE";

const timeSchema = z.object({ at: z.iso.datetime().pipe(z.coerce.date()), isBelieved: z.boolean() });

/** The last time in the file, of those that are believed if there are any; this machine's if no provider has written the file. */
export async function readTime(path: string): Promise<PlatformTime> {
  const times = await recordedLines(path, timeSchema);
  return times.findLast(({ isBelieved }) => isBelieved) ?? times.at(-1) ?? { at: new Date(), isBelieved: true };
}

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

/** Writes each value as a line of the file, at once, because the engine kills its providers; or nothing without a file. */
export function lineRecorder(path: string | undefined): (value: object) => void {
  if (path === undefined || path === "") return () => {};
  return (value) => appendFileSync(path, `${JSON.stringify(value)}\n`);
}

/** The values in the file; none if no provider has written it. */
async function recordedLines<Line>(path: string, schema: z.ZodType<Line>): Promise<Line[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
