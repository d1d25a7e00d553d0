import { Cron } from "croner";
import { z } from "zod";

/** A cron string with five fields, in UTC. */
export const cronSchema = z
  .string()
  .refine(isCron, "must be a valid cron string with five fields, for example 0 */6 * * *")
  .meta({ description: "cron with five fields, UTC", examples: ["0 */6 * * *"] });

export function isCron(value: string): boolean {
  return parse(value) !== undefined;
}

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
