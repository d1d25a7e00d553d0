import { compileExpression } from "filtrex";
import { messageOf } from "../output.ts";
import { whereOptions } from "./where-operators.ts";
import { mistakeAt, type Token } from "./where-tokens.ts";

/**
 * The expression as a function of the fields of a tenant.
 *
 * @throws UsageError that shows the place of the mistake.
 */
export function compileWhere(expression: string, tokens: readonly Token[]): (fields: object) => unknown {
  rejectNesting(expression, tokens);
  try {
    return compileExpression(spaced(tokens), whereOptions);
  } catch {
    const wrong = firstWrong(tokens);
    if (wrong === undefined) throw mistakeAt(expression, 0, tooLong);
    const { start, kind, text } = wrong;
    const reason = kind === "end" ? "something is missing at the end" : `"${text}" is not allowed here`;
    throw mistakeAt(expression, start, reason);
  }
}

const tooLong = 'the expression is too long or too deeply nested; write many values as a list: name in ("a", "b")';

/** The library can evaluate no deeper expression, and the time that it needs to find this out grows with the square of the depth. */
const depthMaximum = 500;

function rejectNesting(expression: string, tokens: readonly Token[]): void {
  let depth = 0;
  for (const { kind, text, start } of tokens) {
    if (kind === "sign" && text === ")") depth -= 1;
    else if (/^([(^-]|not|if|of)$/.test(text)) depth += 1; // only parentheses are closed, which is precise enough
    if (depth > depthMaximum) throw mistakeAt(expression, start, tooLong);
  }
}

/**
 * The first token that cannot follow those before it. The library only says in which line it is, so each token gets a line of
 * its own. `undefined` if the library fails for another reason than a syntax error.
 */
function firstWrong(tokens: readonly Token[]): Token | undefined {
  const line = ({ kind, text }: Token) => (kind === "text" ? '""' : kind === "quoted" ? "'x'" : text);
  try {
    compileExpression(tokens.map((token) => `\n${line(token)} `).join(""), whereOptions);
    return undefined;
  } catch (error) {
    const [, lastRead] = /^Parse error on line (\d+):/.exec(messageOf(error)) ?? [];
    return lastRead === undefined ? undefined : tokens[Number(lastRead) - 1];
  }
}

/** The tokens as filtrex reads them well: it takes a `(` right after `and`, `or`, `not` or `in` as a part of that word. */
function spaced(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => `${text} `).join("");
}
