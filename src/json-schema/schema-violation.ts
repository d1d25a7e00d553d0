import type { ErrorObject } from "ajv";
import type { JsonObject } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";
import { hasUnknown, isUnknown } from "../json/unknown.ts";
import { branchesOf, choiceKeywords, mayBelongTo, mayDecideCondition } from "./choices.ts";
import { keysOf } from "./references.ts";
import { messageOf, type SchemaViolation } from "./violation-message.ts";

/** Keywords that can be decided for an object whose parts are not all known yet. */
const shallowKeywords = new Set(["type", "required", "dependentRequired", "dependencies", "additionalProperties"]);

/** Keywords whose violation has the path of a key that is missing. */
export const missingKeywords: ReadonlySet<string> = new Set(["required", "dependentRequired", "dependencies"]);

/** What a validation found, where some parts of the value are unknown. */
export interface Found {
  violations: readonly SchemaViolation[];
  /** Those of which an unknown value may be the cause. */
  unclear: ReadonlySet<SchemaViolation>;
  /** Those of choices that an unknown value may decide: then the violations of their subschemas need not count. */
  undecided: readonly SchemaViolation[];
}

/** What the validated value and the schema are. */
export interface Validated {
  value: object;
  schema: JsonObject;
}

/** The violations that the errors of a validation mean, without those of which an unknown value may be the cause. */
export function violationsFrom(errors: readonly ErrorObject[], validated: Validated): SchemaViolation[] {
  const { violations, unclear, undecided } = readErrors(errors, validated);
  return violations.filter((one) => !unclear.has(one) && !undecided.some((choice) => mayBelongTo(choice, one)));
}

/** What the errors of a validation mean. */
export function readErrors(errors: readonly ErrorObject[], { value: root, schema }: Validated): Found {
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
    severity: "error",
    keyword,
    rule: parentSchema,
    ...(choiceKeywords.has(keyword) ? { branches: branchesOf(schema, parentSchema, keyword) } : {}),
    fingerprint: JSON.stringify([keyword, path]),
  };
}

function placeOf({ instancePath }: ErrorObject): string[] {
  return keysOf(instancePath);
}

function stringOf(value: unknown) {
  return typeof value === "string" ? value : undefined;
}
