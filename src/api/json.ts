import { z } from "zod";
import { noteSource } from "./number-sources.ts";
import { mayHoldOddNumbers, parseNumberTexts } from "./number-text.ts";

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** What the specification calls a free-form object. */
export type JsonObject = { [key: string]: JsonValue };

/** Accepts exactly what JSON can hold: no `undefined`, `NaN`, dates, functions, class instances ... */
export const jsonValueSchema: z.ZodType<JsonValue> = z.json();

/** Accepts an object of JSON values: neither an array nor null. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonValueSchema);

/** How deep a body may be nested; more would overflow the stack of everything recursive that meets the value later. */
export const maxDepth = 200;

/** JSON, or why it is none. */
export type ParsedJson = { isJson: true; value: unknown } | { isJson: false; problem: string };

/** Reads JSON text; how its numbers stood in it is kept (see `asRead`). The problem never quotes the text: it may hold secrets, and so may the message of `JSON.parse`. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(value, maxDepth)) {
      return { isJson: false, problem: `JSON nested more than ${maxDepth} levels deep` };
    }
    return { isJson: true, value: mayHoldOddNumbers(text) ? parseNumberTexts(text, noteSource) : value };
  } catch {
    return { isJson: false, problem: describeMalformed(text) };
  }
}

/** Tells an object from all else in a value that is JSON already. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether objects and lists are nested deeper. Without recursion, since it guards against what recursion cannot survive. */
export function isDeeperThan(root: unknown, limit: number): boolean {
  let level = [root].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limit) {
      return true;
    }
    const next: object[] = [];
    for (const container of level) {
      // A list is not copied: it may have millions of items.
      for (const value of Array.isArray(container) ? container : Object.values(container)) {
        if (isContainer(value)) {
          next.push(value);
        }
      }
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function describeMalformed(text: string): string {
  const startsLikeJson = /^\s*[[{"]/.test(text);
  return startsLikeJson ? "JSON that is cut short or malformed" : "not JSON";
}
