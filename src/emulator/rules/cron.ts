import { Cron } from "croner";
import { z } from "zod";

/** A cron string of five fields; its times are UTC. */
export const cronSchema = z
  .string()
  .refine(isCron, "must be a valid cron string of five fields, for example 0 */6 * * *");

/** Whether a string is a cron string of five fields. */
export function isCron(text: string): boolean {
  // croner also knows "@daily" and fields for seconds and years.
  if (text.trim().split(/\s+/).length !== 5) return false;
  try {
    new Cron(text, { mode: "5-part", timezone: "UTC", paused: true }).stop();
    return true;
  } catch {
    return false;
  }
}
