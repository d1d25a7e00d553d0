import { isJsonObject, type JsonObject, type JsonValue } from "../api/index.ts";
import { type References, referencesOf } from "./references.ts";
import { withinTime } from "./time-limit.ts";

type Mark = (node: JsonObject) => boolean;

/** Marks a value that need not come back at all. */
export const isWriteOnly: Mark = (node) => node.writeOnly === true;

/** Marks a value that need not come back as it was written. */
export const isHidden: Mark = (node) => isWriteOnly(node) || node.format === "password";

/**
 * Whether a schema bears the mark at this path, or on the way there. Every part of the schema counts that may apply to
 * some value: each branch of a choice, what a condition asks for, and whatever a reference within the document leads to.
 */
export function hasMark(schema: JsonObject, mark: Mark, path: readonly PropertyKey[]): boolean {
  return someNode(schema, path, (node) => mark(node));
}

/** The keys that a schema names in the object at this path. */
export function namesAt(schema: JsonObject, path: readonly PropertyKey[]): string[] {
  const names = new Set<string>();
  someNode(schema, path, (node, rest) => {
    if (rest === 0 && isJsonObject(node.properties)) for (const name of Object.keys(node.properties)) names.add(name);
    return false;
  });
  return [...names];
}

/** Whether one of the parts of a schema that may apply at a path, or on the way there, is such. */
function someNode(
  schema: JsonObject,
  path: readonly PropertyKey[],
  isSuch: (node: JsonObject, rest: number) => boolean,
): boolean {
  const references = referencesOf(schema);
  // References may go in circles, and by many ways to one place: each place is looked at once for each rest of the path.
  const seen = new Map<JsonObject, Set<number>>();
  const visit = (node: JsonValue, rest: readonly PropertyKey[], depth: number): boolean => {
    if (!isJsonObject(node) || depth > depthMaximum) return false;
    const rests = seen.get(node) ?? new Set();
    if (rests.has(rest.length)) return false;
    seen.set(node, rests.add(rest.length));
    if (isSuch(node, rest.length)) return true;
    if (inPlace(node, references).some((other) => visit(other, rest, depth + 1))) return true;
    const [key, ...deeper] = rest;
    if (key === undefined) return false;
    return inside(node, String(key)).some((other) => visit(other, deeper, depth + 1));
  };
  return visit(schema, path, 0);
}

/** Nobody nests schemas deeper than this. */
const depthMaximum = 500;

/** The parts that apply to the same value. */
function inPlace(node: JsonObject, references: References): JsonValue[] {
  return [
    ...["allOf", "anyOf", "oneOf", "if", "then", "else"].flatMap((keyword) => node[keyword] ?? []),
    ...["dependentSchemas", "dependencies"].flatMap((keyword) => valuesOf(node[keyword])),
    ...references.targetsOf(node),
  ];
}

/** The parts that apply to what stands under a key, or at an index. */
function inside(node: JsonObject, key: string): JsonValue[] {
  const property = own(node.properties, key);
  const patterns = isJsonObject(node.patternProperties) ? Object.entries(node.patternProperties) : [];
  const named = [
    ...(property === undefined ? [] : [property]),
    ...patterns.filter(([pattern]) => mayMatch(pattern, key)).map(([, part]) => part),
  ];
  const others = named.length > 0 ? [] : [node.additionalProperties, node.unevaluatedProperties];
  return [...named, ...others, ...(/^\d+$/.test(key) ? itemAt(node, Number(key)) : [])].filter(
    (part) => part !== undefined,
  );
}

/** The parts that apply to an item of a list. Up to draft 2019-09 `items` may itself be a list. */
function itemAt(node: JsonObject, index: number): (JsonValue | undefined)[] {
  const { prefixItems, items } = node;
  const first = [prefixItems, items].find(Array.isArray);
  const placed = first?.[index];
  const others = [items, node.additionalItems, node.unevaluatedItems].filter((part) => !Array.isArray(part));
  return [...(placed === undefined ? others : [placed]), node.contains];
}

/** True where it cannot be told: then rather too much is hidden. A pattern can be such that a match never ends. */
function mayMatch(pattern: string, key: string): boolean {
  try {
    const expression = new RegExp(pattern, "u");
    return withinTime(matchLimitMilliseconds, () => expression.test(key));
  } catch {
    return true;
  }
}

const matchLimitMilliseconds = 100;

function valuesOf(value: JsonValue | undefined): JsonValue[] {
  return isJsonObject(value) ? Object.values(value) : [];
}

function own(node: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}
