import { Cron } from "croner";
import { z } from "zod";

/** A cron string of five fields; its times are UTC. */
export const cronSchema = z
  .string()
  .refine(isCron, "must be a valid cron string of five fields, for example 0 */6 * * *")
  .meta({ description: "cron, five fields, UTC", examples: ["0 */6 * * *"] });

/** Whether a string is a cron string of five fields. */
export function isCron(text: string): boolean {
  return parse(text) !== undefined;
}

/**
 * The first time after `after` that a cron string means, both in milliseconds since the epoch; undefined when it is no
 * cron string, or one that never comes (30 February).
 */
export function nextTime(text: string, after: number): number | undefined {
  return parse(text)?.nextRun(new Date(after))?.getTime();
}

const parsed = new Map<string, Cron | undefined>();

function parse(text: string): Cron | undefined {
  if (parsed.has(text)) return parsed.get(text);
  if (parsed.size >= 1_000) parsed.clear();
  const cron = parseAnew(text);
  parsed.set(text, cron);
  return cron;
}

function parseAnew(text: string): Cron | undefined {
  // croner also knows "@daily" and fields for seconds and years.
  if (text.trim().split(/\s+/).length !== 5) return undefined;
  try {
    return new Cron(text, { mode: "5-part", timezone: "UTC", paused: true });
  } catch {
    return undefined;
  }
}
