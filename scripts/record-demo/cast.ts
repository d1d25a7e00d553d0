import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

/** A part of a program's output. */
export interface Output {
  /** When it came, in seconds since the start. */
  readonly seconds: number;
  readonly text: string;
}

const headerSchema = z.looseObject({ version: z.literal(2), width: z.int(), height: z.int() });
const eventSchema = z.tuple([z.number(), z.literal("o"), z.string()]);

const maxPauseSeconds = 1.5;
/** How long the end is shown before the recording begins again. */
const endSeconds = 5;
/** Parts that come within this time become one. */
const togetherSeconds = 0.05;
const size = { width: 80, height: 34 };

/**
 * A recording in the format asciicast v2: a header, and a line for each part of the output. Pauses are cut to 1.5 seconds, so
 * that the engine's work takes no time of a viewer. The text is what the program printed.
 *
 * @param command what the recording shows as the command that a user typed.
 */
export function castOf(command: string, outputs: readonly Output[]): string {
  const events: [number, "o", string][] = [[0, "o", `$ ${command}\r\n`]];
  let [now, before] = [0, 0];
  for (const { seconds, text } of outputs) {
    const pause = seconds - before;
    before = seconds;
    const shown = text.replaceAll("\n", "\r\n"); // a terminal does this for a program
    const last = events.at(-1);
    if (last !== undefined && pause < togetherSeconds) {
      last[2] += shown;
      continue;
    }
    now += Math.min(pause, maxPauseSeconds);
    events.push([hundredths(now), "o", shown]);
  }
  events.push([hundredths(now + endSeconds), "o", ""]);
  const header = { version: 2, ...size, title: command };
  return `${[header, ...events].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** What a recording shows as one text, without colours. */
export function textOfCast(cast: string): string {
  return stripVTControlCharacters(colouredTextOfCast(cast));
}

/** As {@link textOfCast}, with colours, as a terminal gets it. */
export function colouredTextOfCast(cast: string): string {
  const [header = "", ...events] = cast.trimEnd().split("\n");
  headerSchema.parse(JSON.parse(header));
  const texts = events.map((line) => eventSchema.parse(JSON.parse(line))[2]);
  return texts.join("").replaceAll("\r\n", "\n");
}

function hundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
