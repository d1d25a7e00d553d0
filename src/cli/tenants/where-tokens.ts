import stringWidth from "string-width";
import { withoutControlCharacters } from "../../json/one-line.ts";
import { UsageError } from "../subcommand.ts";

/** A part of an expression. */
export interface Token {
  kind: "text" | "quoted" | "number" | "word" | "sign" | "end";
  /** As it is written. */
  text: string;
  /** Where it begins in the expression. */
  start: number;
}

/** Splits an expression into its tokens, without the space between them. The last token is its end. */
export function tokensOf(expression: string): [...Token[], Token] {
  const tokens: Token[] = [];
  for (let start = 0; start < expression.length; ) {
    const rest = expression.slice(start);
    const found = kinds.flatMap(
      ([kind, form]) =>
        form
          .exec(rest)
          ?.slice(0, 1)
          .map((text) => ({ kind, text })) ?? [],
    )[0];
    if (found === undefined) throw mistakeAt(expression, start, hintOf(rest));
    if (found.kind !== "space") tokens.push({ kind: found.kind, text: found.text, start });
    start += found.text.length;
  }
  return [...tokens, { kind: "end", text: "", start: expression.trimEnd().length }];
}

/** So much of a long expression is shown on each side of a mistake. */
const shownMaximum = 300;

/** A usage error that shows the expression, and below it the place of the mistake. */
export function mistakeAt(expression: string, start: number, reason: string): UsageError {
  const from = Math.max(0, start - shownMaximum);
  const before = from === 0 ? "" : "... ";
  const after = expression.length > start + shownMaximum ? " ..." : "";
  const [left, right] = [expression.slice(from, start), expression.slice(start, start + shownMaximum)];
  const upTo = before + withoutControlCharacters(left);
  return new UsageError(
    `--where: ${reason}\n  ${upTo}${withoutControlCharacters(right)}${after}\n  ${" ".repeat(stringWidth(upTo))}^`,
  );
}

// The lexical rules of filtrex 3, without those that it calls deprecated.
const kinds = [
  ["space", /^\s+/],
  ["text", /^"(?:\\"|\\\\|[^"\\])*"/],
  ["quoted", /^'(?:\\'|\\\\|[^'\\])*'/],
  ["number", /^[0-9]+(?:\.[0-9]+)?(?![0-9.a-zA-Z_])/],
  ["word", /^[a-zA-Z$_][.a-zA-Z0-9$_]*/],
  ["sign", /^(?:==|!=|~=|>=|<=|[<>()+\-*/^,])/],
] as const;

/** What is probably meant by characters that begin no token. */
function hintOf(rest: string): string {
  const [, hint] = hints.find(([start]) => rest.startsWith(start)) ?? [];
  if (hint !== undefined) return hint;
  if (/^[0-9]/.test(rest)) return 'a number is expected; write a string such as a version in double quotes: "v1.3.0"';
  return "unexpected character";
}

const hints = [
  ["=", "write == to compare"],
  ["&", "write and"],
  ["|", "write or"],
  ["!", "write not (...)"],
  ['"', 'the string has no closing quote, or it has a \\ that is neither \\" nor \\\\'],
  ["'", "the name has no closing quote; write strings in double quotes"],
  ["[", "write a list in parentheses"],
] as const;
