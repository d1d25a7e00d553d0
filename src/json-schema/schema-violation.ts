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
const shallowKeywords = new Set(["type", "required", "dependentRequired", "dependencies", "additionalProperties"]);

/** Keywords whose violation has the path of a key that is missing. */
export const missingKeywords: ReadonlySet<string> = new Set(["required", "dependentRequired", "dependencies"]);

/** What a validation found, where some parts of the value are unknown. */
interface Found {
  violations: readonly SchemaViolation[];
  /** Those of which an unknown value may be the cause. */
  unclear: ReadonlySet<SchemaViolation>;
  /** Those of choices that an unknown value may decide: then the violations of their subschemas need not count. */
  undecided: readonly SchemaViolation[];
}

/** What the validated value and the schema are. */
interface Validated {
  value: object;
  schema: JsonObject;
}

/** The violations that the errors of a validation mean, without those of which an unknown value may be the cause. */
export function violationsFrom(errors: readonly ErrorObject[], validated: Validated): SchemaViolation[] {
  const { violations, unclear, undecided } = read(errors, validated);
  return violations.filter((one) => !unclear.has(one) && !undecided.some((choice) => mayBelongTo(choice, one)));
}

/** A secret that a value lacks. */
export interface MissingSecret {
  path: readonly string[];
  /**
   * `always`: the schema requires it. `one of several`: the value fits none of several shapes, and one that it may have requires it.
   * `undecided`: the same, but an unknown part of the value may decide that it needs none.
   */
  isRequired: "always" | "one of several" | "undecided";
}

/** The secrets that a value lacks, by the errors of a validation. */
export function missingSecretsFrom(
  errors: readonly ErrorObject[],
  validated: Validated & { isSecret: (path: readonly string[]) => boolean },
): MissingSecret[] {
  const { violations, unclear, undecided } = read(errors, validated);
  const shapes = violations.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isMissingSecret = ({ keyword, path }: SchemaViolation) =>
    missingKeywords.has(keyword) && validated.isSecret(path);
  /** Whether a violation shows that a value does not have a shape: reads may leave out only secrets. */
  const rulesOut = (choice: SchemaViolation, branch: ReadonlySet<object>, one: SchemaViolation) => {
    if (!shownKeywords.has(one.keyword) || unclear.has(one) || isMissingSecret(one)) return false;
    const own = choice.branches?.filter((other) => mayBelongToBranch(choice, other, one)) ?? [];
    const isInside = shapes.some((other) => mayBelongToBranch(choice, branch, other) && mayBelongTo(other, one));
    return own.length === 1 && own[0] === branch && !isInside;
  };
  const mayRequire = (choice: SchemaViolation, missing: SchemaViolation) =>
    choice.branches?.some(
      (branch) =>
        mayBelongToBranch(choice, branch, missing) && !violations.some((one) => rulesOut(choice, branch, one)),
    ) === true;
  return violations.filter(isMissingSecret).flatMap((missing): MissingSecret[] => {
    const { path } = missing;
    const ofShape = shapes.filter((choice) => mayBelongTo(choice, missing));
    if (!ofShape.every((choice) => mayRequire(choice, missing))) return [];
    if (undecided.some((choice) => mayBelongTo(choice, missing))) return [{ path, isRequired: "undecided" }];
    return [{ path, isRequired: ofShape.length > 0 ? "one of several" : "always" }];
  });
}

/** What breaks these rules is shown by reads, unless it is a missing secret. */
const shownKeywords = new Set(["const", "enum", "type", "required", "additionalProperties"]);

function read(errors: readonly ErrorObject[], { value: root, schema }: Validated): Found {
  const violations = errors.map((error) => violationFrom(error, root, schema));
  const unclear = new Set<SchemaViolation>();
  const undecided: SchemaViolation[] = [];
  if (!hasUnknown(root)) return { violations, unclear, undecided };
  const isOpen = (one: SchemaViolation) => unclear.has(one) || undecided.some((choice) => mayBelongTo(choice, one));
  // the errors of a choice's subschemas come before its own
  for (const [index, error] of errors.entries()) {
    const violation = violations[index];
    const value = valueAt(root, placeOf(error));
    if (violation === undefined || !hasUnknown(value)) continue;
    if (violation.branches === undefined) {
      if (isUnknown(value) || !shallowKeywords.has(error.keyword)) unclear.add(violation);
      continue;
    }
    const own = violations.slice(0, index).filter((other) => mayBelongTo(violation, other));
    const isDecided = !isUnknown(value) && !mayBeDecided(error, value, own.some(isOpen));
    if (!isDecided) undecided.push(violation);
    const isByOpen = error.keyword === "if" && own.length > 0 && own.every(isOpen);
    if (!isDecided || isByOpen) unclear.add(violation);
  }
  return { violations, unclear, undecided };
}

/**
 * Whether an unknown part of a value may decide a violated choice.
 *
 * @param isAnyOpen whether it may be the cause of a violation of one of the subschemas.
 */
function mayBeDecided({ keyword, schema, params }: ErrorObject, value: unknown, isAnyOpen: boolean): boolean {
  if (keyword === "if") return mayDecideCondition(value, schema);
  const doSeveralFit = Array.isArray(params.passingSchemas); // oneOf
  return isAnyOpen || keyword === "not" || doSeveralFit || params.maxContains !== undefined;
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
