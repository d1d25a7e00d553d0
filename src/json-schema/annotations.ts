import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { type KeyPath, partOf } from "../json/key-path.ts";
import { choiceKeyword, type DynamicChoice, type DynamicConfigs, optionsOf } from "./dynamic-choices.ts";
import { type References, referencesOf } from "./references.ts";
import { runWithTimeLimit } from "./time-limit.ts";

/** Whether a subschema has a certain annotation. */
type Annotation = (node: JsonObject) => boolean;

/** `writeOnly: true`: reads may leave the value out. */
export const isWriteOnly: Annotation = (node) => node.writeOnly === true;

/** `writeOnly: true` or `format: password`: reads may show the value masked, or leave it out. */
export const isHidden: Annotation = (node) => isWriteOnly(node) || node.format === "password";

/**
 * Whether a schema has an annotation at a path or on the way to it. Every subschema counts that may apply to some value: each
 * branch of `anyOf` and the like, both branches of a condition, and the targets of references within the document.
 */
export function hasAnnotation(schema: JsonObject, annotation: Annotation, path: KeyPath): boolean {
  return someNode(schema, path, (node) => annotation(node));
}

/** The keys that a schema names in the object at this path. */
export function namesAt(schema: JsonObject, path: KeyPath): string[] {
  const names = new Set<string>();
  someNode(schema, path, (node, rest) => {
    if (rest === 0 && isJsonObject(node.properties)) for (const name of Object.keys(node.properties)) names.add(name);
    return false;
  });
  return [...names];
}

/** The names of the definitions whose options may be chosen at a path. */
export function choicesAt(schema: JsonObject, path: KeyPath): string[] {
  const definitions = new Set<string>();
  someNode(schema, path, ({ [choiceKeyword]: definition }, rest) => {
    if (rest === 0 && typeof definition === "string") definitions.add(definition);
    return false;
  });
  return [...definitions];
}

/** The dynamic choices among the parts of a value. */
export function choicesIn(schema: JsonObject, value: unknown, dynamicConfigs: DynamicConfigs): DynamicChoice[] {
  const visit = (part: unknown, path: readonly string[]): DynamicChoice[] => {
    const [definition] = choicesAt(schema, path);
    if (definition !== undefined) return [{ path, definition, options: optionsOf(dynamicConfigs, definition) }];
    if (typeof part !== "object" || part === null) return [];
    return Object.entries(part).flatMap(([key, inner]) => visit(inner, [...path, key]));
  };
  return visit(value, []);
}

/** Whether a subschema that may apply at a path, or on the way to it, passes a test. */
function someNode(schema: JsonObject, path: KeyPath, isMatch: (node: JsonObject, rest: number) => boolean): boolean {
  const references = referencesOf(schema);
  // References may be circular, or lead to one place in many ways: each place is visited once for each rest of the path.
  const seen = new Map<JsonObject, Set<number>>();
  const visit = (node: JsonValue, rest: KeyPath, depth: number): boolean => {
    if (!isJsonObject(node) || depth > maxVisitDepth) return false;
    const rests = seen.get(node) ?? new Set();
    if (rests.has(rest.length)) return false;
    seen.set(node, rests.add(rest.length));
    if (isMatch(node, rest.length)) return true;
    if (inPlace(node, references).some((other) => visit(other, rest, depth + 1))) return true;
    const [key, ...deeper] = rest;
    if (key === undefined) return false;
    return inside(node, String(key)).some((other) => visit(other, deeper, depth + 1));
  };
  return visit(schema, path, 0);
}

/** Deeper than any real schema, and shallow enough for the stack. */
const maxVisitDepth = 500;

/** The subschemas that apply to the same value. */
function inPlace(node: JsonObject, references: References): JsonValue[] {
  return [
    ...["allOf", "anyOf", "oneOf", "if", "then", "else"].flatMap((keyword) => node[keyword] ?? []),
    ...["dependentSchemas", "dependencies"].flatMap((keyword) => valuesOf(node[keyword])),
    ...references.targetsOf(node),
  ];
}

/** The subschemas that apply to the value of a key or to the item of an index. */
function inside(node: JsonObject, key: string): JsonValue[] {
  const property = partOf(node.properties, key);
  const named = [
    ...(property === undefined ? [] : [property]),
    ...(isJsonObject(node.patternProperties) ? matchersOf(node.patternProperties)(key) : []),
  ];
  const others = named.length > 0 ? [] : [node.additionalProperties, node.unevaluatedProperties];
  return [...named, ...others, ...(/^\d+$/.test(key) ? itemAt(node, Number(key)) : [])].filter(
    (part) => part !== undefined,
  );
}

/** The subschemas that apply to an item of a list. Up to draft 2019-09 `items` may be a list. */
function itemAt(node: JsonObject, index: number): (JsonValue | undefined)[] {
  const { prefixItems, items } = node;
  const first = [prefixItems, items].find(Array.isArray);
  const placed = first?.[index];
  const others = [items, node.additionalItems, node.unevaluatedItems].filter((part) => !Array.isArray(part));
  return [...(placed === undefined ? others : [placed]), node.contains];
}

/** Returns the subschemas whose patterns may match a key. */
type Matchers = (key: string) => readonly JsonValue[];

const known = new WeakMap<JsonObject, Matchers>();

/** The patterns of a `patternProperties`, which are compiled once, and compared once with each key. */
function matchersOf(patternProperties: JsonObject): Matchers {
  const matchers = known.get(patternProperties) ?? compileMatchers(patternProperties);
  known.set(patternProperties, matchers);
  return matchers;
}

function compileMatchers(patternProperties: JsonObject): Matchers {
  const patterns = Object.entries(patternProperties).map(([pattern, part]) => ({
    expression: compiled(pattern),
    part,
  }));
  const found = new Map<string, readonly JsonValue[]>();
  return (key) => {
    const parts =
      found.get(key) ?? patterns.filter(({ expression }) => mayMatch(expression, key)).map(({ part }) => part);
    found.set(key, parts);
    return parts;
  };
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

/** True also where the pattern is invalid or takes too long: it is safer to hide too much than too little. */
function mayMatch(expression: RegExp | undefined, key: string): boolean {
  if (expression === undefined) return true;
  try {
    return runWithTimeLimit(matchLimitMilliseconds, () => expression.test(key));
  } catch {
    return true;
  }
}

const matchLimitMilliseconds = 100;

function valuesOf(value: JsonValue | undefined): JsonValue[] {
  return isJsonObject(value) ? Object.values(value) : [];
}
