import { Ajv, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import addFormats from "ajv-formats";
import { isDeeperThan, type JsonObject, maxDepth } from "../api/index.ts";
import { hasMark, isHidden, isWriteOnly, namesAt } from "./hidden.ts";
import { describeProblem, type Problem } from "./problem.ts";
import { isTimeOut, withinTime } from "./time-limit.ts";

/** The config or metadata schema of a release (specification, IntegrationRelease), compiled. */
export interface ReleaseSchema {
  /** What in the value does not fit, each with its path. Values that are unknown yet are passed over. */
  problems(value: object): Problem[];
  /** A copy with the schema's defaults in the places that are empty. */
  withDefaults(value: JsonObject): JsonObject;
  /** Whether the value at this path need not come back as it was written: `writeOnly: true` or `format: password`. */
  isHidden(path: readonly PropertyKey[]): boolean;
  /** Whether it need not come back at all: `writeOnly: true`. */
  isWriteOnly(path: readonly PropertyKey[]): boolean;
  /** The keys that the schema names in the object at this path. */
  namesAt(path: readonly PropertyKey[]): string[];
  /** Whether a check has been given up: then no problem does not mean that all fits. */
  hasGivenUp(): boolean;
}

/** No schema: everything fits. */
export const anyValue: ReleaseSchema = {
  problems: () => [],
  withDefaults: (value) => structuredClone(value),
  isHidden: () => false,
  isWriteOnly: () => false,
  namesAt: () => [],
  hasGivenUp: () => false,
};

/** In place of a schema that cannot be compiled: everything passes, and it is still known what it hides. */
export function uncheckableSchema(schema: JsonObject): ReleaseSchema {
  return { ...anyValue, hasGivenUp: () => true, ...marksOf(schema) };
}

/** How checks that take long are dealt with. */
export interface CheckOptions {
  /** Told why, when a check is given up for the first time. */
  onGivenUp?: (reason: string) => void;
  /** How long a check may take. Default 400; an honest one takes a few. */
  limitMilliseconds?: number;
}

/** A schema that values cannot be checked against. */
export class UnusableSchemaError extends Error {
  override readonly name = "UnusableSchemaError";
}

/**
 * Compiles a release's schema (drafts 6, 7, 2019-09, 2020-12 by its `$schema`; 7 where none is named).
 *
 * A schema can be such that a check never ends (a regular expression that backtracks, references in circles), and a value
 * such that the validator fails at it (it compares objects by their `toString`, which may be a config). Such a check is
 * given up, `onGivenUp` is told why, and its value passes: the platform checks as well. After a few of those everything
 * passes.
 *
 * @throws UnusableSchemaError where it cannot be compiled: another draft, a remote `$ref`, no schema at all.
 */
export function compileReleaseSchema(
  schema: JsonObject,
  { onGivenUp = () => {}, limitMilliseconds = 400 }: CheckOptions = {},
): ReleaseSchema {
  const validate = compileInTime(schema);
  let fill: ValidateFunction | undefined;
  const isQuick = !mayTakeLong(schema);
  let givenUp = 0;
  /** What the validator finds. The only code that runs here is its own, so what it throws is a check that it can't do. */
  const inTime = <T>(check: () => T, otherwise: T): T => {
    if (givenUp >= givenUpMaximum) return otherwise;
    try {
      return isQuick ? check() : withinTime(limitMilliseconds, check);
    } catch (error) {
      if (givenUp === 0) onGivenUp(reasonOf(error, limitMilliseconds));
      givenUp += 1;
      return otherwise;
    }
  };
  return {
    problems: (value) => {
      if (isDeeperThan(value, maxDepth)) return [tooDeep];
      const errors: ErrorObject[] = inTime(() => (validate(value) ? [] : (validate.errors ?? [])), []);
      return errors.flatMap((error) => describeProblem(error, value) ?? []);
    },
    withDefaults: (value) => {
      if (isDeeperThan(value, maxDepth)) return value;
      const fillIn = fill ?? compileInTime(schema, { useDefaults: true });
      fill = fillIn;
      return inTime(() => {
        const filled = structuredClone(value);
        fillIn(filled);
        return filled;
      }, structuredClone(value));
    },
    ...marksOf(schema),
    hasGivenUp: () => givenUp > 0,
  };
}

function marksOf(schema: JsonObject): Pick<ReleaseSchema, "isHidden" | "isWriteOnly" | "namesAt"> {
  return {
    isHidden: (path) => hasMark(schema, isHidden, path),
    isWriteOnly: (path) => hasMark(schema, isWriteOnly, path),
    namesAt: (path) => namesAt(schema, path),
  };
}

const givenUpMaximum = 3;

/**
 * Whether a check may take longer than schema and value are large. To watch one takes 0.2 ms, which is seconds for a fleet
 * of thousands.
 */
function mayTakeLong(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  if (/"(patternProperties|uniqueItems|\$(dynamic|recursive)?ref)":|"format":"url"/i.test(text)) return true;
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")?/g)];
  return !patterns.every(([, pattern = "("]) => isLinear(pattern));
}

/** A repetition multiplies with another, with the ways through a group, and with the places where it may begin. */
function isLinear(pattern: string): boolean {
  if (/[(|]|\\\\[1-9k]/.test(pattern)) return false;
  const repetitions = pattern.match(/[*+?{]/g) ?? [];
  return repetitions.length === 0 || (repetitions.length === 1 && pattern.startsWith('"^'));
}

/** Compiling a large schema takes some hundred. */
const compileLimitMilliseconds = 4000;

const tooDeep: Problem = {
  path: [],
  message: `is nested more than ${maxDepth} levels deep`,
  fingerprint: JSON.stringify(["depth", []]),
};

function compileInTime(schema: JsonObject, options: { useDefaults?: boolean } = {}): ValidateFunction {
  try {
    const checker = checkerOf(schema);
    return withinTime(compileLimitMilliseconds, () => compile(schema, checker, options));
  } catch (error) {
    throw new UnusableSchemaError(reasonOf(error, compileLimitMilliseconds), { cause: error });
  }
}

function compile(schema: AnySchemaObject, checker: Ajv, options: { useDefaults?: boolean }): ValidateFunction {
  checker.validateSchema(schema, true);
  const validate = ajvOf(draftOf(schema), { ...options, validateSchema: false }).compile(schema);
  // Its answer would be a promise, and a promise passes for true.
  if ("$async" in validate) throw new Error("it is an asynchronous schema");
  return validate;
}

const drafts = ["2020-12", "2019-09", "draft-06", "draft-07"] as const;
type Draft = (typeof drafts)[number];

function draftOf({ $schema }: AnySchemaObject): Draft {
  return drafts.find((draft) => typeof $schema === "string" && $schema.includes(draft)) ?? "draft-07";
}

/** What schemas are checked by, one for each draft: to compile a draft's own schema takes longer than most others. */
const checkers = new Map<Draft, Ajv>();

function checkerOf(schema: AnySchemaObject): Ajv {
  const draft = draftOf(schema);
  const checker = checkers.get(draft) ?? ajvOf(draft, {});
  checkers.set(draft, checker);
  const { $schema } = schema;
  checker.validateSchema($schema === undefined ? {} : { $schema }, true); // compiled here, where nothing cuts it off
  return checker;
}

function ajvOf(draft: Draft, options: Options): Ajv {
  // Without ownProperties a config named "constructor" would be there always.
  const settings = {
    allErrors: true,
    strict: false,
    verbose: true,
    logger: false,
    ownProperties: true,
    ...options,
  } as const;
  const ajv =
    draft === "2020-12" ? new Ajv2020(settings) : draft === "2019-09" ? new Ajv2019(settings) : new Ajv(settings);
  if (draft === "draft-06") ajv.addMetaSchema(draft6);
  addFormats.default(ajv);
  return ajv;
}

function reasonOf(error: unknown, milliseconds: number): string {
  if (isTimeOut(error)) return `it takes more than ${milliseconds} ms`;
  if (error instanceof RangeError) return "it goes in circles, or too deep";
  return error instanceof Error ? error.message : String(error);
}
