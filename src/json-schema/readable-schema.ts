import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { choiceKeyword } from "./dynamic-choices.ts";
import { keysOfReference, referencesOf } from "./references.ts";

/**
 * A copy of a release's JSON Schema that says what its author means:
 * - {@link choiceKeyword} stands in place of each reference to a placeholder definition. The `type` beside such a reference does
 *   not count. A placeholder is a definition that only the word "placeholder" fits: `enum: [placeholder]`, or
 *   `oneOf: [{ title: Placeholder, const: placeholder }]`.
 * - A `oneOf` of `{ const, title }` is an `enum`, so that a violation has one message with all choices.
 * - `nullable` without a `type` is left out. JSON Schema ignores it, and the validator refuses it.
 */
export function readableSchema(schema: JsonObject): JsonObject {
  const references = referencesOf(schema);
  const replaceIn = (node: JsonValue): JsonValue => {
    if (Array.isArray(node)) return node.map(replaceIn);
    return isJsonObject(node) ? replace(node) : node;
  };
  const replace = (node: JsonObject): JsonObject => {
    const isChoice = references.targetsOf(node).some(isPlaceholder);
    const meant = isChoice ? withChoice(node) : withEnum(node);
    const parts = Object.entries(meant).filter(([keyword]) => keyword !== "nullable" || "type" in meant);
    return Object.fromEntries(
      parts.map(([keyword, part]) => {
        if (valueKeywords.has(keyword)) return [keyword, part];
        if (!namedKeywords.has(keyword) || !isJsonObject(part)) return [keyword, replaceIn(part)];
        return [keyword, Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, replaceIn(inner)]))];
      }),
    );
  };
  return replace(schema);
}

/** Keywords that hold values, not schemas. */
const valueKeywords = new Set(["const", "default", "enum", "examples"]);

/** Keywords that hold schemas by names, which may be names of keywords. */
const namedKeywords = new Set([
  ...["properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "dependencies"],
]);

function isPlaceholder(definition: JsonValue): boolean {
  if (!isJsonObject(definition)) return false;
  const { enum: values } = definition;
  const [only, ...others] = Array.isArray(values) ? values : (constantsOf(definition) ?? []);
  return others.length === 0 && typeof only === "string" && only.toLowerCase() === "placeholder";
}

function withChoice({ $ref, type: _, ...beside }: JsonObject): JsonObject {
  const reference = String($ref);
  // the last part of its pointer, or its anchor
  return { ...beside, [choiceKeyword]: keysOfReference(reference).at(-1) ?? reference.replace(/^.*#/, "") };
}

function withEnum(node: JsonObject): JsonObject {
  const values = constantsOf(node);
  const isList = values !== undefined && new Set(values.map((value) => JSON.stringify(value))).size === values.length;
  if (!isList || node.enum !== undefined) return node;
  const { oneOf: _, ...others } = node;
  return { ...others, enum: values };
}

/** The values of a `oneOf` whose subschemas are constants with notes, such as `title`. */
function constantsOf({ oneOf }: JsonObject): JsonValue[] | undefined {
  if (!Array.isArray(oneOf) || oneOf.length === 0) return undefined;
  const values = oneOf.flatMap((one) => {
    if (!isJsonObject(one) || !Object.keys(one).every((keyword) => constantKeywords.has(keyword))) return [];
    return one.const === undefined ? [] : [one.const];
  });
  return values.length === oneOf.length ? values : undefined;
}

const constantKeywords = new Set(["const", "title", "description"]);
