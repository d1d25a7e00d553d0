import { z } from "zod";
import type { PlatformTime } from "../operation/platform-time.ts";
import { recordedLines } from "./line-file.ts";

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
