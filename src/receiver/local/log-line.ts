import { oneLine } from "../../json/one-line.ts";
import type { LogEntry } from "../log.ts";

/**
 * Formats a log entry as one line for a terminal: time, level, message, and the facts as `name=value` with JSON values.
 * Control characters are escaped. Metrics are left out, because each counts what its line says.
 *
 * @param time ISO 8601, UTC. Default: now.
 */
export function logLine({ level, message, metrics: _, ...facts }: LogEntry, time = new Date().toISOString()): string {
  return oneLine([time, level, message, ...factsAsText(facts)].join(" "));
}

/** Values that are undefined are left out. */
export function factsAsText(facts: Readonly<Record<string, unknown>>): string[] {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
}
