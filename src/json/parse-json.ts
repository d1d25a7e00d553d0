import { isDeeperThan, maxDepth } from "./depth.ts";
import { noteSource } from "./number-sources.ts";
import { mayHoldOddNumbers, parseNumberTexts } from "./number-text.ts";

/** A parsed JSON text, or why it could not be parsed. */
export type ParsedJson = { isJson: true; value: unknown } | { isJson: false; problem: string };

/**
 * Parses JSON and remembers how its numbers were written, for `asRead`. The problem never quotes the text, which may hold
 * secrets; the messages of `JSON.parse` do quote it.
 */
export function parseJson(text: string): ParsedJson {
  const value = jsonIn(text);
  if (value === undefined) return { isJson: false, problem: describeMalformed(text) };
  if (isDeeperThan(value, maxDepth)) {
    return { isJson: false, problem: `JSON nested more than ${maxDepth} levels deep` };
  }
  return { isJson: true, value: mayHoldOddNumbers(text) ? parseNumberTexts(text, noteSource) : value };
}

/** The JSON value in a text, of any depth and with its numbers rounded; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeMalformed(text: string): string {
  const startsLikeJson = /^\s*[[{"]/.test(text);
  return startsLikeJson ? "JSON that is cut short or malformed" : "not JSON";
}
