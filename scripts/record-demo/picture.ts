import { stripVTControlCharacters } from "node:util";
import { render } from "svg-term";
import { colouredTextOfCast } from "./cast.ts";
import type { Recording } from "./files.ts";

const width = 80;

/** Some steps of a recording as an SVG: dark, in a window. */
export function pictureOf(cast: string, [first, last]: Recording["steps"]): string {
  const lines = colouredTextOfCast(cast).split("\n");
  const start = startOf(lines, first);
  const end = startOf(lines, last + 1);
  // before each step there are an empty line and a rule
  const shown = lines.slice(start, end - 2);
  const header = { version: 2, width, height: shown.length };
  // the frame of a moment is found only between two others
  const still = [header, [0, "o", ""], [1, "o", shown.join("\r\n")], [2, "o", ""]];
  const text = still.map((line) => JSON.stringify(line)).join("\n");
  return `${render(text, { window: true, cursor: false, at: 1000 })}\n`;
}

function startOf(lines: readonly string[], step: number): number {
  return lines.findIndex((line) => stripVTControlCharacters(line).startsWith(`${step}. `));
}
