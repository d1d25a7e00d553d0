import type { ErrorObject, ValidateFunction } from "ajv";
import { isDeeperThan, maxDepth, tooDeep } from "../json/depth.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { KeyPath } from "../json/key-path.ts";
import { hasAnnotation, isHidden, isWriteOnly, namesAt } from "./annotations.ts";
import { type MissingSecret, missingSecretsFrom } from "./missing-secrets.ts";
import { violationsFrom } from "./schema-violation.ts";
import { runWithTimeLimit } from "./time-limit.ts";
import { compileValidator, mayTakeLong, reasonOf } from "./validator.ts";
import type { SchemaViolation } from "./violation-message.ts";

/** The compiled config or metadata schema of a release (specification, "IntegrationRelease"). */
export interface ReleaseSchema {
  /** All places of the value that violate the schema. Unknown values violate nothing. */
  violations(value: object): SchemaViolation[];
  /** The secrets that the schema requires and the value lacks, where the schema marks them ({@link ReleaseSchema.isHidden}). */
  missingSecrets(value: object): MissingSecret[];
  /** A copy of the value, with the schema's defaults for absent keys. */
  withDefaults(value: JsonObject): JsonObject;
  /** Whether other keys may decide which default a key has: `if`, and schemas that depend on a key. */
  hasConditionalDefaults(): boolean;
  /** Whether reads may show the value at this path masked, or leave it out: `writeOnly: true` or `format: password`. */
  isHidden(path: KeyPath): boolean;
  /** Whether reads may leave the value at this path out: `writeOnly: true`. */
  isWriteOnly(path: KeyPath): boolean;
  /** The keys that the schema names for the object at this path. */
  namesAt(path: KeyPath): string[];
  /** Whether a check was skipped so far: then a value without violations need not be valid. */
  hasSkippedChecks(): boolean;
}

/** The schema of a release that has none: every value is valid. */
export const noSchema: ReleaseSchema = {
  violations: () => [],
  missingSecrets: () => [],
  withDefaults: (value) => structuredClone(value),
  hasConditionalDefaults: () => false,
  isHidden: () => false,
  isWriteOnly: () => false,
  namesAt: () => [],
  hasSkippedChecks: () => false,
};

/** Stands in for the schema of a release that cannot be read: every value is valid, and may be a secret. */
export const unknownSchema: ReleaseSchema = { ...noSchema, isHidden: () => true };

/** Stands in for a schema that cannot be compiled: every value is valid, and its annotations still apply. */
export function uncheckedSchema(schema: JsonObject): ReleaseSchema {
  return { ...noSchema, hasSkippedChecks: () => true, ...annotationsOf(schema) };
}

export interface CheckOptions {
  /** Called with the reason when a check is skipped for the first time. */
  onSkipped?: (reason: string) => void;
  /** Time limit for a check. Default 400; an ordinary check takes a few milliseconds. */
  limitMilliseconds?: number;
}

/**
 * Compiles the schema of a release; see {@link compileValidator} for the drafts.
 *
 * Some schemas make a check endless (a regular expression that backtracks, circular references), and some values make the
 * validator throw: it compares objects by `toString`, which may be a config. Such a check is skipped, and its value is taken
 * as valid, as the platform checks it too. After three skipped checks the schema checks nothing more.
 *
 * @throws UnusableSchemaError for a schema that cannot be compiled.
 */
export function compileReleaseSchema(
  schema: JsonObject,
  { onSkipped = () => {}, limitMilliseconds = 400 }: CheckOptions = {},
): ReleaseSchema {
  const validate = compileValidator(schema);
  let fillDefaults: ValidateFunction | undefined;
  const needsLimit = mayTakeLong(schema);
  const isConditional = /"(if|dependentSchemas|dependencies)":/.test(JSON.stringify(schema));
  let skipped = 0;
  /** Runs code of the validator; what that throws means that it cannot do the check. */
  const checkOr = <Result>(fallback: Result, check: () => Result): Result => {
    if (skipped >= maxSkipped) return fallback;
    try {
      return needsLimit ? runWithTimeLimit(limitMilliseconds, check) : check();
    } catch (error) {
      if (skipped === 0) onSkipped(reasonOf(error, limitMilliseconds));
      skipped += 1;
      return fallback;
    }
  };
  const errorsOf = (value: object) =>
    checkOr<ErrorObject[]>([], () => (validate(value) ? [] : (validate.errors ?? [])));
  const annotations = annotationsOf(schema);
  return {
    violations: (value) => {
      if (isDeeperThan(value, maxDepth)) return [depthViolation];
      return violationsFrom(errorsOf(value), { value, schema });
    },
    missingSecrets: (value) => {
      if (isDeeperThan(value, maxDepth)) return [];
      return missingSecretsFrom(errorsOf(value), { value, schema, isSecret: annotations.isHidden });
    },
    withDefaults: (value) => {
      if (isDeeperThan(value, maxDepth)) return value;
      fillDefaults ??= compileValidator(schema, { useDefaults: true });
      const fill = fillDefaults;
      return checkOr(structuredClone(value), () => {
        const filled = structuredClone(value);
        fill(filled);
        return filled;
      });
    },
    hasConditionalDefaults: () => isConditional,
    ...annotations,
    hasSkippedChecks: () => skipped > 0,
  };
}

const maxSkipped = 3;

const depthViolation: SchemaViolation = {
  path: [],
  message: tooDeep,
  keyword: "depth",
  rule: {},
  fingerprint: JSON.stringify(["depth", []]),
};

function annotationsOf(schema: JsonObject): Pick<ReleaseSchema, "isHidden" | "isWriteOnly" | "namesAt"> {
  return {
    isHidden: (path) => hasAnnotation(schema, isHidden, path),
    isWriteOnly: (path) => hasAnnotation(schema, isWriteOnly, path),
    namesAt: (path) => namesAt(schema, path),
  };
}
