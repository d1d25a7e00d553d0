import { didYouMean } from "../../inputs/did-you-mean.ts";
import { oneLine } from "../../json/one-line.ts";
import { UsageError } from "../subcommand.ts";
import { compileWhere } from "./compile-where.ts";
import { dependsOnWords, fieldNames, isFieldName } from "./tenant-fields.ts";
import { MetadataUnread, missing, whereOptions } from "./where-operators.ts";
import { mistakeAt, type Token, tokensOf } from "./where-tokens.ts";

/** A condition that tenants meet or do not meet. */
export interface Condition {
  /** Whether it asks for the tag of a release. */
  needsReleases: boolean;
  /** Whether it asks for a field that depends on the status words of the stack. */
  needsWords: boolean;
  /**
   * Whether the tenant with these fields meets it; `undefined` if that depends on its metadata and the fields have none.
   *
   * @throws UsageError if it compares or combines values of the wrong types.
   */
  isMet(fields: { name: string; id: number }): boolean | undefined;
}

/**
 * Parses the expression of `--where`, in the language of filtrex: `metadata.plan == "gold" and release.tag != "v1.3.0"`.
 * A value that a tenant does not have is equal to no other value, and false as a condition.
 *
 * @throws UsageError that shows the place of the mistake. A name that no tenant can have is a mistake too: `!=` would
 * otherwise hold of all tenants.
 */
export function parseWhere(expression: string): Condition {
  const tokens = tokensOf(expression);
  const evaluate = compileWhere(expression, tokens);
  const paths = pathsOf(expression, tokens);
  return {
    needsReleases: paths.some((path) => path.startsWith("release")),
    needsWords: paths.some(dependsOnWords),
    isMet: (fields) => {
      const result: unknown = evaluate(fields);
      if (result instanceof MetadataUnread) return undefined;
      if (typeof result === "boolean") return result;
      if (result === missing) return false;
      const reason = result instanceof Error ? result.message : "the expression is not a condition";
      throw new UsageError(
        `--where: cannot be evaluated for tenant "${oneLine(fields.name)}" (${fields.id}): ${reason}`,
      );
    },
  };
}

const keywords = ["and", "or", "not", "in", "of", "if", "then", "else", "mod"];
const constants = Object.keys(whereOptions.constants);
const functionNames = [
  "exists",
  "empty",
  "abs",
  "ceil",
  "floor",
  "log",
  "log2",
  "log10",
  "max",
  "min",
  "round",
  "sqrt",
];

/** The names of the fields that the expression has, such as `release.tag`. Checks that tenants can have them. */
function pathsOf(expression: string, tokens: readonly Token[]): string[] {
  const paths: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (token === undefined || !isName(token)) continue;
    if (next?.text === "(") {
      if (token.kind === "word" && functionNames.includes(token.text)) continue;
      throw mistakeAt(
        expression,
        token.start,
        `there is no function ${token.text}${didYouMean(token.text, functionNames)}`,
      );
    }
    const namesFromEnd = [token];
    for (let of = tokens[at + 1], whose = tokens[at + 2]; of?.text === "of" && whose && isName(whose); ) {
      namesFromEnd.push(whose);
      at += 2;
      [of, whose] = [tokens[at + 1], tokens[at + 2]];
    }
    const names = namesFromEnd.toReversed();
    if (tokens[at + 1]?.text === "of") continue; // of an expression in parentheses
    paths.push(fieldOf(expression, names));
    rejectNegatedName(expression, tokens, at - 2 * (names.length - 1), at);
    rejectHyphen(expression, tokens, at);
  }
  return paths;
}

function isName({ kind, text }: Token): boolean {
  return kind === "quoted" || (kind === "word" && !keywords.includes(text) && !constants.includes(text));
}

function fieldOf(expression: string, names: readonly Token[]): string {
  const path = names.map(({ text }) => text).join(".");
  const [first] = names;
  if (first?.kind === "quoted") {
    throw mistakeAt(
      expression,
      first.start,
      "write strings in double quotes; single quotes are for names: 'a-b' of metadata",
    );
  }
  if (isFieldName(path)) return path;
  throw mistakeAt(expression, first?.start ?? 0, `tenants have no field ${path}${didYouMean(path, fieldNames)}`);
}

/** `not a == b` is `(not a) == b` in this language, which nobody means. */
function rejectNegatedName(expression: string, tokens: readonly Token[], from: number, to: number): void {
  const [before, after] = [tokens[from - 1], tokens[to + 1]];
  const isCompared = /^(==|!=|~=|[<>]=?|in)$/.test(after?.text ?? "") && after?.kind !== "text";
  if (before?.text !== "not" || !isCompared) return;
  throw mistakeAt(expression, before.start, "write parentheses after not: not (a == b)");
}

/** `metadata.billing-plan` is a subtraction in this language. */
function rejectHyphen(expression: string, tokens: readonly Token[], at: number): void {
  const [name, hyphen, rest] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (name?.kind !== "word" || hyphen?.text !== "-" || rest?.kind !== "word") return;
  if (name.start + name.text.length !== hyphen.start || hyphen.start + 1 !== rest.start) return;
  const [parent, key] = [name.text.replace(/\.[^.]*$/, ""), name.text.replace(/.*\./, "")];
  throw mistakeAt(expression, name.start, `write a name with - in single quotes: '${key}-${rest.text}' of ${parent}`);
}
