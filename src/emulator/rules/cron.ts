import { Cron } from "croner";
import { z } from "zod";

/** Five fields between spaces. The library also takes "@daily", other white space, and "+" before a day of the week. */
const fiveFields = /^[ \t\r\n]*[^\s+]+(?:[ \t]+[^\s+]+){4}[ \t\r\n]*$/;

/** A cron string with five fields, in UTC, which fires at some time. */
export const cronSchema = z
  .string()
  .refine(
    (value) => fiveFields.test(value) && nextTime(value, 0) !== undefined,
    "must be a valid cron string with five fields, for example 0 */6 * * *",
  )
  .meta({ description: "cron with five fields, UTC", examples: ["0 */6 * * *"] });

/**
 * The first time of a cron string after `after`, both in milliseconds since the epoch; undefined when the string is not
 * valid, or its time never comes (30 February).
 */
export function nextTime(cron: string, after: number): number | undefined {
  return parse(cron)?.nextRun(new Date(after))?.getTime();
}

const parsed = new Map<string, Cron | undefined>();

function parse(value: string): Cron | undefined {
  if (parsed.has(value)) return parsed.get(value);
  if (parsed.size >= 1_000) parsed.clear();
  const cron = parseUncached(value);
  parsed.set(value, cron);
  return cron;
}

function parseUncached(value: string): Cron | undefined {
  // croner also accepts "@daily", and fields for seconds and years.
  if (value.trim().split(/\s+/).length !== 5) return undefined;
  try {
    return new Cron(value, { mode: "5-part", timezone: "UTC", paused: true });
  } catch {
    return undefined;
  }
}
