import type { ErrorObject } from "ajv";
import { didYouMean } from "../inputs/did-you-mean.ts";
import type { JsonObject } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import { hasUnknown, isUnknown } from "../json/unknown.ts";
import { branchesOf, choiceKeywords, mayBelongTo, mayBelongToBranch, mayDecideCondition } from "./choices.ts";

/** One place of a value that violates its schema. The message never contains the value. */
export interface SchemaViolation {
  /** Keys from the root of the value to the place. */
  path: readonly string[];
  message: string;
  /** The keyword of JSON Schema whose rule is broken, such as `required`. */
  keyword: string;
  /** The subschema that has the rule: an object of the schema itself, or `false`. */
  rule: object | boolean;
  /** Of a violated choice: its subschemas, each with all that are inside of it. */
  branches?: readonly ReadonlySet<object>[];
  /** Equal for the same violation at the same place, whatever the value: tells new violations from old ones. */
  fingerprint: string;
}

/** Keywords that can be decided for an object whose parts are not all known yet. */
const shallowKeywords = new Set(["type", "required", "additionalProperties"]);

export interface ViolationOptions {
  /** Whether to include those of the subschemas of a choice that an unknown value may decide. Default: no. */
  withUndecided?: boolean;
}

/** The violations that the errors of a validation mean, without those of which an unknown value may be the cause. */
export function violationsFrom(
  errors: readonly ErrorObject[],
  { value: root, schema, withUndecided = false }: ViolationOptions & { value: object; schema: JsonObject },
): SchemaViolation[] {
  const found = errors.map((error) => violationFrom(error, root, schema));
  if (!hasUnknown(root)) return found;
  const unclear = new Set<SchemaViolation>();
  const undecided: SchemaViolation[] = [];
  const isOpen = (one: SchemaViolation) => unclear.has(one) || undecided.some((choice) => mayBelongTo(choice, one));
  // the errors of a choice's subschemas come before its own
  for (const [index, error] of errors.entries()) {
    const violation = found[index];
    const value = valueAt(root, placeOf(error));
    if (violation === undefined || !hasUnknown(value)) continue;
    if (violation.branches === undefined) {
      if (isUnknown(value) || !shallowKeywords.has(error.keyword)) unclear.add(violation);
      continue;
    }
    const earlier = found.slice(0, index);
    if (isUnknown(value) || mayBeDecided(error, violation, { value, earlier, isOpen })) undecided.push(violation);
    const own = error.keyword === "if" ? earlier.filter((other) => mayBelongTo(violation, other)) : [];
    if (undecided.includes(violation) || (own.length > 0 && own.every(isOpen))) unclear.add(violation);
  }
  const isLeftOut = (one: SchemaViolation) =>
    unclear.has(one) ||
    undecided.some((choice) => mayBelongTo(choice, one) && !(withUndecided && mayApply(choice, one, found, unclear)));
  return found.filter((violation) => !isLeftOut(violation));
}

/** Whether an unknown part of a value may decide a violated choice. */
function mayBeDecided(
  { keyword, schema, params }: ErrorObject,
  choice: SchemaViolation,
  {
    value,
    earlier,
    isOpen,
  }: { value: unknown; earlier: readonly SchemaViolation[]; isOpen: (violation: SchemaViolation) => boolean },
): boolean {
  if (keyword === "if") return mayDecideCondition(value, schema);
  if (keyword === "not") return true;
  if (keyword === "contains") {
    return params.maxContains !== undefined || earlier.some((other) => mayBelongTo(choice, other) && isOpen(other));
  }
  if (Array.isArray(params.passingSchemas)) return true; // oneOf, of which several fit
  const mayFit = (branch: ReadonlySet<object>) =>
    earlier.filter((other) => mayBelongToBranch(choice, branch, other)).every(isOpen);
  return choice.branches?.some(mayFit) === true;
}

/** Whether a violation may be that of the branch which applies: not if the branch is violated by more than a missing key. */
function mayApply(
  choice: SchemaViolation,
  violation: SchemaViolation,
  found: readonly SchemaViolation[],
  unclear: ReadonlySet<SchemaViolation>,
): boolean {
  if (choice.keyword !== "anyOf" && choice.keyword !== "oneOf") return true;
  const fits = (branch: ReadonlySet<object>) =>
    found.every((one) => one.keyword === "required" || unclear.has(one) || !mayBelongToBranch(choice, branch, one));
  return choice.branches?.some((branch) => mayBelongToBranch(choice, branch, violation) && fits(branch)) === true;
}

function violationFrom(error: ErrorObject, root: object, schema: JsonObject): SchemaViolation {
  const { keyword, parentSchema = {} } = error;
  const place = placeOf(error);
  const key = stringOf(error.params.missingProperty) ?? stringOf(error.params.additionalProperty);
  const path = key !== undefined ? [...place, key] : place;
  return {
    path,
    message: messageOf(error, key, valueAt(root, place)),
    keyword,
    rule: parentSchema,
    ...(choiceKeywords.has(keyword) ? { branches: branchesOf(schema, parentSchema, keyword) } : {}),
    fingerprint: JSON.stringify([keyword, path]),
  };
}

function placeOf({ instancePath }: ErrorObject): string[] {
  return instancePath.split("/").slice(1).map(decodePointer);
}

function messageOf(error: ErrorObject, key: string | undefined, value: unknown): string {
  const { keyword, params, parentSchema } = error;
  const known = Object.keys(Object(parentSchema?.properties ?? {}));
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return `is not a key of the schema${didYouMean(key ?? "", known)}`;
  if (keyword === "enum") return `must be one of ${listOf(params.allowedValues)}`;
  if (keyword === "minimum" || keyword === "maximum") return rangeOf(parentSchema ?? {});
  if (keyword === "const") return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === "type") return typeMessage([params.type].flat().map(String), value);
  if (keyword === "pattern") return `must match the pattern ${params.pattern}`;
  if (keyword === "minLength" || keyword === "maxLength") return lengthOf(parentSchema ?? {});
  if (keyword === "format") return formatMessage(String(params.format));
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

function formatMessage(format: string): string {
  const example = examples.get(format);
  return `must be in the format "${format}"${example === undefined ? "" : `, such as ${example}`}`;
}

const examples: ReadonlyMap<string, string> = new Map([
  ["uri", "https://example.com"],
  ["email", "ada@example.com"],
  ["date", "2026-01-31"],
  ["date-time", "2026-01-31T09:00:00Z"],
]);

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

function decodePointer(key: string) {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

function stringOf(value: unknown) {
  return typeof value === "string" ? value : undefined;
}

function listOf(values: unknown) {
  return [values]
    .flat()
    .map((value) => JSON.stringify(value))
    .join(", ");
}
