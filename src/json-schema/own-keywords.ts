import { isDeepStrictEqual } from "node:util";
import type { FuncKeywordDefinition, SchemaValidateFunction } from "ajv";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { shortList } from "../json/short-list.ts";
import { isHidden } from "./annotations.ts";
import { type ChoiceOption, choiceKeyword, type DynamicConfigs, optionsOf } from "./dynamic-choices.ts";

/** What our own keywords know of a check: the `this` of a validator. */
export interface CheckMode {
  /** Whether what is only a warning counts too. */
  isStrict: boolean;
  dynamicConfigs: DynamicConfigs;
}

/** What applies if a validator is called without a mode. */
export const lenient: CheckMode = { isStrict: false, dynamicConfigs: undefined };

const validateChoice: SchemaValidateFunction = function (
  this: CheckMode | undefined,
  definition: string,
  value: JsonValue,
  parentSchema: JsonObject = {},
) {
  const message = objectionTo(value, { ...lenient, ...this, definition, isSecret: isHidden(parentSchema) });
  if (message === undefined) return true;
  validateChoice.errors = [{ keyword: choiceKeyword, message, params: {}, parentSchema }];
  return false;
};

/**
 * The keywords that a validator has besides those of JSON Schema: {@link choiceKeyword}, and `min` and `max`, which authors
 * write for `minimum` and `maximum`.
 */
export const ownKeywords: readonly FuncKeywordDefinition[] = [
  { keyword: choiceKeyword, schemaType: "string", validate: validateChoice },
  writtenLimit("min", (value, limit) => value >= limit),
  writtenLimit("max", (value, limit) => value <= limit),
];

export function isOwnKeyword(name: string): boolean {
  return ownKeywords.some(({ keyword }) => keyword === name);
}

/** Whether a schema may have our own keywords, so that it can warn of values. */
export function mayWarn(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return ownKeywords.some(({ keyword }) => text.includes(`"${keyword}":`));
}

function objectionTo(
  value: JsonValue,
  { isStrict, dynamicConfigs, definition, isSecret }: CheckMode & { definition: string; isSecret: boolean },
): string | undefined {
  const options = optionsOf(dynamicConfigs, definition);
  const others = [value].flat().filter((one) => !options?.some((option) => isDeepStrictEqual(option.value, one)));
  if (!others.every((one) => typeof one === "string")) return "must be a string or a list of strings";
  const [first] = others;
  if (!isStrict || options === undefined || first === undefined) return undefined;
  const wanted = isSecret ? undefined : JSON.stringify(first);
  const known = options.length === 0 ? "there are none" : shortList(options.map(textOf), { maximum: 5, wanted });
  return `is not among the tenant's options for ${definition}: ${known}. They may be old: an init sync renews them`;
}

function textOf({ value, title }: ChoiceOption): string {
  return title === undefined ? JSON.stringify(value) : `${JSON.stringify(value)} (${title})`;
}

function writtenLimit(
  keyword: "min" | "max",
  isWithin: (value: number, limit: number) => boolean,
): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = function (this: CheckMode | undefined, limit: JsonValue, value: number) {
    return this?.isStrict !== true || typeof limit !== "number" || isWithin(value, limit);
  };
  return { keyword, type: "number", validate };
}
