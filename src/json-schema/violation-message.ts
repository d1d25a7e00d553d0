import type { ErrorObject } from "ajv";
import { didYouMean } from "../inputs/did-you-mean.ts";
import { shortList } from "../json/short-list.ts";
import { isHidden } from "./annotations.ts";

/** One place of a value that violates its schema. The message never contains the value. */
export interface SchemaViolation {
  /** Keys from the root of the value to the place. */
  path: readonly string[];
  message: string;
  /** A warning is about what JSON Schema does not refuse, or what the tenant's options do not show. */
  severity: "error" | "warning";
  /** The keyword of JSON Schema whose rule is broken, such as `required`. */
  keyword: string;
  /** The subschema that has the rule: an object of the schema itself, or `false`. */
  rule: object | boolean;
  /** Of a violated choice: its subschemas, each with all that are inside of it. */
  branches?: readonly ReadonlySet<object>[];
  /** Equal for the same violation at the same place, whatever the value: tells new violations from old ones. */
  fingerprint: string;
}

/**
 * What is wrong at a place, for people. It never contains the value.
 *
 * @param key the key that is missing, or must not be there.
 * @param value the value at the place.
 */
export function messageOf(error: ErrorObject, key: string | undefined, value: unknown): string {
  const { keyword, params, parentSchema } = error;
  const known = Object.keys(Object(parentSchema?.properties ?? {}));
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return `is not a key of the schema${didYouMean(key ?? "", known)}`;
  if (keyword === "enum")
    return `must be one of ${listOf(params.allowedValues, isHidden(Object(parentSchema)) ? undefined : value)}`;
  if (keyword === "minimum" || keyword === "maximum") return rangeOf(parentSchema ?? {});
  if (keyword === "min" || keyword === "max") return rangeOf(writtenRange(parentSchema ?? {}));
  if (keyword === "const") return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === "type") return typeMessage([params.type].flat().map(String), value);
  if (keyword === "pattern") return `must match the pattern ${params.pattern}`;
  if (keyword === "minLength" || keyword === "maxLength") return lengthOf(parentSchema ?? {});
  if (keyword === "false schema") return "is not allowed";
  return error.message ?? "violates the schema";
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "a list"],
]);

/** The types that a value must have, and whether only quotes are wrong. */
function typeMessage(types: readonly string[], value: unknown): string {
  const message = `must be ${types.map((type) => typeNames.get(type) ?? type).join(" or ")}`;
  const isScalar = typeof value === "number" || typeof value === "boolean";
  if (types.includes("string") && isScalar) return `${message}: write it in quotes`;
  const wouldFit = types.some((type) => typeof value === "string" && (unquoted.get(type)?.test(value) ?? false));
  return wouldFit ? `${message}: remove the quotes` : message;
}

const unquoted: ReadonlyMap<string, RegExp> = new Map([
  ["boolean", /^(true|false)$/i],
  ["integer", /^-?\d+$/],
  ["number", /^-?\d+(\.\d+)?$/],
]);

/** What the author of a schema wrote instead of `minimum` and `maximum`. */
function writtenRange({ min, max }: Record<string, unknown>): Record<string, unknown> {
  return { minimum: min, maximum: max };
}

function rangeOf({ minimum, maximum }: Record<string, unknown>): string {
  if (minimum === undefined) return `must be at most ${maximum}`;
  return maximum === undefined ? `must be at least ${minimum}` : `must be from ${minimum} to ${maximum}`;
}

function lengthOf({ minLength, maxLength }: Record<string, unknown>): string {
  if (minLength === undefined) return `must have at most ${maxLength} characters`;
  if (maxLength === undefined)
    return minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`;
  return `must have ${minLength} to ${maxLength} characters`;
}

/** @param value what is in place of one of the values. The order tells a little of it. */
function listOf(values: unknown, value: unknown): string {
  const texts = [values].flat().map((one) => JSON.stringify(one));
  return shortList(texts, { wanted: typeof value === "object" ? undefined : JSON.stringify(value) });
}
