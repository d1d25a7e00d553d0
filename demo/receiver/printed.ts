import { z } from "zod";
import type { AlarmChange } from "../../test/receiver/alarm-clock/alarm-clock.ts";

const entrySchema = z.looseObject({ level: z.string(), message: z.string() });

/** Not shown: the time of the machine, which is not the demo's, and what only CloudWatch reads. */
const omitted = new Set(["level", "message", "time", "_aws", "FunctionName"]);

const width = 110;

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

/** Whom the alarms notify of what: a headline for each change to or from ALARM, and the alarm's text. */
export function alarmLines(changes: readonly AlarmChange[]): string {
  const ringing = new Set<string>();
  const notified = changes.filter(({ alarm, state }) => {
    const isEnd = ringing.delete(alarm.name);
    if (state === "ALARM") ringing.add(alarm.name);
    return alarm.actions[state].length > 0 && (state === "ALARM" || isEnd);
  });
  return notified
    .flatMap(({ minute, alarm, state }) => [
      `minute ${minute}  ${state}  ${alarm.name}`,
      ...(state === "ALARM" ? wrap(alarm.description).map((line) => `    ${line}`) : []),
    ])
    .join("\n");
}

function wrap(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
