import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { isAtOrWithin } from "../json/key-path.ts";
import { hasUnknown } from "../json/unknown.ts";
import { referencesOf } from "./references.ts";
import type { SchemaViolation } from "./violation-message.ts";

/** One of several subschemas or items must fit, or must not. The violations of each are reported too. */
export const choiceKeywords: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "if", "contains"]);

/**
 * Whether a violation may be one of a choice's subschemas, which need not fit. Subschemas that a reference leads to may also
 * apply for another reason, so it need not be.
 *
 * @param choice the violation of a {@link choiceKeywords choice keyword}.
 */
export function mayBelongTo(choice: SchemaViolation, violation: SchemaViolation): boolean {
  return choice.branches?.some((branch) => mayBelongToBranch(choice, branch, violation)) === true;
}

/** {@link mayBelongTo}, for one of the choice's subschemas. */
export function mayBelongToBranch(
  choice: SchemaViolation,
  branch: ReadonlySet<object>,
  { path, rule }: SchemaViolation,
): boolean {
  if (!isAtOrWithin(path, choice.path)) return false;
  return typeof rule !== "object" || branch.has(rule); // a schema that is `false` has no place of its own
}

const known = new WeakMap<object, Map<string, readonly ReadonlySet<object>[]>>();

/**
 * The subschemas of a choice, each with all that are inside of it, at every depth and behind references.
 *
 * @param rule the subschema that has the keyword.
 */
export function branchesOf(schema: JsonObject, rule: object, keyword: string): readonly ReadonlySet<object>[] {
  const ofRule = known.get(rule) ?? new Map<string, readonly ReadonlySet<object>[]>();
  known.set(rule, ofRule);
  const names = keyword === "if" ? ["then", "else"] : [keyword];
  const read = () => names.flatMap((name) => Reflect.get(rule, name) ?? []).map((branch) => allWithin(schema, branch));
  const branches = ofRule.get(keyword) ?? read();
  ofRule.set(keyword, branches);
  return branches;
}

function allWithin(schema: JsonObject, branch: JsonValue | undefined): ReadonlySet<object> {
  const references = referencesOf(schema);
  const found = new Set<object>();
  const visit = (node: JsonValue | undefined) => {
    if (typeof node !== "object" || node === null || found.has(node)) return;
    found.add(node);
    for (const part of Object.values(node)) visit(part);
    if (isJsonObject(node)) for (const target of references.targetsOf(node)) visit(target);
  };
  visit(branch);
  return found;
}

/**
 * Whether an unknown part of a value may decide whether the value fits a condition. An unknown value is there, so it meets
 * `required`.
 *
 * @param condition the subschema of `if`.
 */
export function mayDecideCondition(value: unknown, condition: unknown): boolean {
  const unknown = Object.entries(Object(value)).flatMap(([key, part]) => (hasUnknown(part) ? [key] : []));
  return looksAt(condition, unknown);
}

/** Whether a subschema restricts the value of one of the keys. */
function looksAt(schema: unknown, keys: readonly string[]): boolean {
  if (keys.length === 0) return false;
  return Object.entries(Object(schema)).some(([keyword, part]) => {
    if (keyword === "properties") return keys.some((key) => Object.hasOwn(Object(part), key));
    if (inPlaceKeywords.has(keyword)) return [part].flat().some((branch) => looksAt(branch, keys));
    return !blindKeywords.has(keyword);
  });
}

/** Keywords whose subschemas apply to the same value. */
const inPlaceKeywords = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]);

/** Keywords that restrict no value of a key: they are about the type or the keys, or they are annotations. */
const blindKeywords = new Set([
  ...["type", "required", "dependentRequired", "propertyNames", "minProperties", "maxProperties"],
  ...["title", "description", "default", "examples", "$comment"],
]);
