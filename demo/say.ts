import { styleText } from "node:util";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { lineWidth } from "../src/cli/fit.ts";

/** Prints a sentence: a headline, which begins with a number, after a rule; any other indented. Colours are for terminals only. */
export function say(text: string) {
  const isHeadline = /^\d/.test(text);
  if (isHeadline) console.log(`\n${styleText("dim", "─".repeat(lineWidth))}`);
  const [first = "", ...rest] = wrapped(isHeadline ? text : `   ${text}`, lineWidth, 3);
  console.log(isHeadline ? styleText("bold", first) : first);
  for (const line of rest) console.log(isHeadline ? styleText("bold", line) : line);
}

/** Prints the lines of a command's output that match, indented. */
export function show(output: string, lines = /./) {
  for (const line of output.split("\n").filter((line) => lines.test(line))) {
    for (const part of wrapped(line, lineWidth - border.length, line.search(/\S|$/) + 4))
      console.log(styleText("dim", border) + coloured(part));
  }
}

const border = "   | ";

/** The line as lines of at most `width` columns of a terminal, all but the first indented by `indent`. */
function wrapped(line: string, width: number, indent: number): string[] {
  const text = line.trimEnd();
  if (stringWidth(text) <= width) return [text];
  const start = " ".repeat(text.search(/\S/));
  const parts = wrapAnsi(text.trimStart(), width - indent, { hard: true }).split("\n");
  return parts.map((part, at) => (at === 0 ? start : " ".repeat(indent)) + part);
}

const colours = new Map([
  ["+", "green"],
  ["~", "yellow"],
  ["-", "red"],
] as const);

/** The engine's own colours: what is created is green, what is changed is yellow, what is deleted is red. */
function coloured(line: string): string {
  const [, sign] = /^\s*([+~-]) /.exec(line) ?? [];
  for (const [own, colour] of colours) if (own === sign) return styleText(colour, line);
  return line;
}
