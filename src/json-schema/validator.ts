import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import type { JsonObject } from "../json/json-value.ts";
import { ownKeywords } from "./own-keywords.ts";
import { isTimeout, runWithTimeLimit } from "./time-limit.ts";

/** A schema that cannot be compiled. The message says why. */
export class UnusableSchemaError extends Error {
  override readonly name = "UnusableSchemaError";
}

/** Compiling a large schema takes some hundred milliseconds. */
const compileLimitMilliseconds = 4000;

/**
 * Compiles a schema into a function that validates values, by the draft in its `$schema`: 6, 7, 2019-09 or 2020-12; 7 where
 * it names none. A `format` is a note that refuses nothing, and unknown keywords are ignored.
 *
 * The function's `this` is a {@link CheckMode}.
 *
 * @throws UnusableSchemaError for an invalid schema, another draft, a remote `$ref`, or a compilation that takes too long.
 */
export function compileValidator(schema: JsonObject, options: { useDefaults?: boolean } = {}): ValidateFunction {
  try {
    const key = JSON.stringify([options, schema]);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    if (compiled.size >= maxCompiled) compiled.clear();
    const metaValidator = metaValidatorOf(schema);
    const validate = runWithTimeLimit(compileLimitMilliseconds, () => compile(schema, metaValidator, options));
    compiled.set(key, validate);
    return validate;
  } catch (error) {
    throw new UnusableSchemaError(reasonOf(error, compileLimitMilliseconds), { cause: error });
  }
}

/** Validators by schema and options, kept because a process may have several operations, each of which compiles them. */
const compiled = new Map<string, ValidateFunction>();
const maxCompiled = 50;

/**
 * Whether validation may take longer than the sizes of schema and value suggest, and so needs a time limit. A limit costs 0.2
 * ms, which is seconds for a fleet of thousands.
 */
export function mayTakeLong(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  if (/"(patternProperties|uniqueItems|\$(dynamic|recursive)?ref)":/i.test(text)) return true;
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")?/g)];
  return !patterns.every(([, pattern = "("]) => isLinear(pattern));
}

/** Why compilation or validation ended with an error, as a clause for a warning. */
export function reasonOf(error: unknown, limitMilliseconds: number): string {
  if (isTimeout(error)) return `it takes more than ${limitMilliseconds} ms`;
  if (error instanceof RangeError) return "its references are circular, or it is nested too deep";
  return error instanceof Error ? error.message : String(error);
}

/** A match takes linear time where one repetition begins at one place, without groups, alternatives and back-references. */
function isLinear(pattern: string): boolean {
  if (/[(|]|\\\\[1-9k]/.test(pattern)) return false;
  const repetitions = pattern.match(/[*+?{]/g) ?? [];
  return repetitions.length === 0 || (repetitions.length === 1 && pattern.startsWith('"^'));
}

function compile(schema: AnySchemaObject, metaValidator: Ajv, options: { useDefaults?: boolean }): ValidateFunction {
  metaValidator.validateSchema(schema, true);
  const validate = createAjv(draftOf(schema), { ...options, validateSchema: false }).compile(schema);
  // An asynchronous schema returns a promise, which would count as "valid".
  if ("$async" in validate) throw new Error("it is an asynchronous schema");
  return validate;
}

const drafts = ["2020-12", "2019-09", "draft-06", "draft-07"] as const;
type Draft = (typeof drafts)[number];

function draftOf({ $schema }: AnySchemaObject): Draft {
  return drafts.find((draft) => typeof $schema === "string" && $schema.includes(draft)) ?? "draft-07";
}

/** Validators of schemas by draft, kept because compiling a draft's own schema takes longer than compiling most others. */
const metaValidators = new Map<Draft, Ajv>();

function metaValidatorOf(schema: AnySchemaObject): Ajv {
  const draft = draftOf(schema);
  const validator = metaValidators.get(draft) ?? createAjv(draft, {});
  metaValidators.set(draft, validator);
  const { $schema } = schema;
  // This compiles the draft's own schema outside the time limit, which could stop it half done.
  validator.validateSchema($schema === undefined ? {} : { $schema }, true);
  return validator;
}

function createAjv(draft: Draft, options: Options): Ajv {
  const settings = {
    allErrors: true,
    strict: false,
    strictNumbers: true, // NaN is not a number
    verbose: true,
    logger: false,
    ownProperties: true, // otherwise a required key named "constructor" would always be there
    validateFormats: false, // platforms write times as "14:30"
    passContext: true, // to our own keywords
    ...options,
  } as const;
  const ajv =
    draft === "2020-12" ? new Ajv2020(settings) : draft === "2019-09" ? new Ajv2019(settings) : new Ajv(settings);
  if (draft === "draft-06") ajv.addMetaSchema(draft6);
  ajv.removeKeyword("id"); // which Ajv refuses; to these drafts it is an unknown keyword
  for (const definition of ownKeywords) ajv.addKeyword(definition);
  return ajv;
}
