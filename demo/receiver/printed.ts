import { z } from "zod";
import type { AlarmChange } from "../../test/receiver/alarm-clock/alarm-clock.ts";

const entrySchema = z.looseObject({ level: z.string(), message: z.string() });

/** Not shown: the time of the machine, which is not the demo's, and what only CloudWatch reads. */
const omitted = new Set(["level", "message", "time", "_aws", "FunctionName"]);

/** The entries of a function's log, without the lines that AWS's runtime adds. */
export function logLines(name: string, lines: readonly string[]): string {
  const entries = lines.flatMap((line) => entrySchema.safeParse(parseJson(line)).data ?? []);
  return entries
    .map(({ level, message, ...facts }) => {
      const shown = Object.entries(facts).filter(([fact, value]) => !omitted.has(fact) && value !== undefined);
      const text = shown.map(([fact, value]) => `${fact}=${typeof value === "string" ? value : JSON.stringify(value)}`);
      return [name, level.toUpperCase(), message, ...text].join("  ");
    })
    .join("\n");
}

/**
 * What the alarms notify people of: a headline for each change to ALARM and back to OK, and the text of an alarm that starts.
 *
 * @param changes all changes since the start of the clock
 * @param sinceMinute earlier changes are not shown
 */
export function alarmLines(changes: readonly AlarmChange[], sinceMinute: number): string {
  const ringing = new Set<string>();
  const lines = changes.flatMap(({ minute, alarm, state }) => {
    const isEnd = ringing.delete(alarm.name);
    if (state === "ALARM") ringing.add(alarm.name);
    const isNotified = alarm.actions[state].length > 0 && (state === "ALARM" || isEnd);
    if (minute <= sinceMinute || !isNotified) return [];
    const text = state === "ALARM" ? alarm.description.split(/\n+/).map((line) => `    ${line}`) : [];
    return [`minute ${minute}  ${state}  ${alarm.name}`, ...text];
  });
  return lines.join("\n");
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
