import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { distinctPaths, isAtOrWithin, valueAt } from "../json/key-path.ts";
import {
  choiceKeywords,
  mayBelongTo,
  missingKeywords,
  type ReleaseSchema,
  type SchemaViolation,
} from "../json-schema/index.ts";
import { isMask } from "./masks.ts";

/** What the violations of live values mean if the platform may hide some of the values. */
export interface SplitViolations {
  /** The values that are shown break the rule. */
  certain: SchemaViolation[];
  /** Where a rule could not be checked, because the platform hides a value or may leave it out. */
  notChecked: (readonly string[])[];
}

/** Which values reads may hide. */
export type Hiding = Pick<ReleaseSchema, "isHidden" | "namesAt">;

/** Splits the violations of live values by whether a hidden value may be their only cause. */
export function splitViolations(
  violations: readonly SchemaViolation[],
  live: JsonObject,
  hiding: Hiding,
): SplitViolations {
  const unclear = violations.filter((violation) => isUnclear(violation, live, hiding));
  const choices = unclear.filter(({ keyword }) => choiceKeywords.has(keyword));
  const isNotChecked = (violation: SchemaViolation) =>
    unclear.includes(violation) || choices.some((choice) => mayBelongTo(choice, violation));
  const notChecked = distinctPaths(violations.filter(isNotChecked).map(({ path }) => path));
  return {
    certain: violations.filter((violation) => !isNotChecked(violation)),
    notChecked: notChecked.filter((path) => !notChecked.some((other) => other !== path && isAtOrWithin(path, other))),
  };
}

/** The rule is broken by the key's existence, whatever its value is. */
const existenceKeywords = new Set(["additionalProperties", "false schema"]);

/** Whether the rule is broken depends on the parts of the value. Numbers of items and keys do not. */
const wholeKeywords = new Set([
  ...choiceKeywords,
  ...["const", "enum", "contains", "uniqueItems", "unevaluatedItems", "unevaluatedProperties"],
]);

function isUnclear({ keyword, path }: SchemaViolation, live: JsonObject, hiding: Hiding): boolean {
  if (existenceKeywords.has(keyword)) return false;
  const value = valueAt(live, path);
  if (missingKeywords.has(keyword)) return value === undefined && hiding.isHidden(path);
  if (isHiddenValue(value, path, hiding)) return true;
  if (keyword === "minProperties") return mayLackKeys(value, path, hiding);
  return wholeKeywords.has(keyword) && hasHiddenPart(value, path, hiding);
}

function isHiddenValue(value: JsonValue | undefined, path: readonly string[], { isHidden }: Hiding): boolean {
  return isMask(value) || isHidden(path);
}

function hasHiddenPart(value: JsonValue | undefined, path: readonly string[], hiding: Hiding): boolean {
  if (typeof value !== "object" || value === null) return isHiddenValue(value, path, hiding);
  if (mayLackKeys(value, path, hiding)) return true;
  return Object.entries(value).some(([key, part]) => hasHiddenPart(part, [...path, key], hiding));
}

/** Whether a secret that the schema names is absent: reads may leave it out. */
function mayLackKeys(value: JsonValue | undefined, path: readonly string[], { namesAt, isHidden }: Hiding): boolean {
  return isJsonObject(value) && namesAt(path).some((key) => !Object.hasOwn(value, key) && isHidden([...path, key]));
}
