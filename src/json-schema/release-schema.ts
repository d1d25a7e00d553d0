import type { ErrorObject, ValidateFunction } from "ajv";
import { isDeeperThan, maxDepth, tooDeep } from "../json/depth.ts";
import type { JsonObject } from "../json/json-value.ts";
import { type KeyPath, withPart } from "../json/key-path.ts";
import { unknownValue } from "../json/unknown.ts";
import { choicesAt, choicesIn, hasAnnotation, isHidden, isWriteOnly, namesAt } from "./annotations.ts";
import { choiceKeyword, type DynamicChoice, type DynamicConfigs, optionsOf } from "./dynamic-choices.ts";
import { type FormField, fieldAt, formFields } from "./form-fields.ts";
import { type MissingSecret, missingSecretsFrom } from "./missing-secrets.ts";
import { type CheckMode, isOwnKeyword, lenient, mayWarn } from "./own-keywords.ts";
import { readableSchema } from "./readable-schema.ts";
import { missingKeywords, violationsFrom } from "./schema-violation.ts";
import { runWithTimeLimit } from "./time-limit.ts";
import { compileValidator, mayTakeLong, reasonOf } from "./validator.ts";
import type { SchemaViolation } from "./violation-message.ts";
import { schemaParts } from "./wrapped-schema.ts";

/** The compiled config or metadata schema of a release (specification, "IntegrationRelease"). */
export interface ReleaseSchema {
  /**
   * All places of the value that violate the schema. Unknown values violate nothing. These are only warnings:
   * - a dynamic choice that is not among the tenant's options, where the tenant has options;
   * - a required dynamic choice that is missing, where the tenant has no options yet;
   * - a number outside of `min` or `max`, which JSON Schema ignores.
   *
   * @param dynamicConfigs the tenant's `status.dynamic_configs`. Default: it has no options yet.
   */
  violations(value: object, dynamicConfigs?: DynamicConfigs): SchemaViolation[];
  /** The dynamic choices among the parts of a value, with the tenant's options for each. */
  dynamicChoices(value: object, dynamicConfigs?: DynamicConfigs): DynamicChoice[];
  /** How the release's form shows the value at this path. `undefined` if it shows none, or the release has no form. */
  formFieldAt(path: KeyPath): FormField | undefined;
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
  dynamicChoices: () => [],
  formFieldAt: () => undefined,
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
export function uncheckedSchema(given: JsonObject): ReleaseSchema {
  return { ...noSchema, hasSkippedChecks: () => true, ...annotationsOf(partsOf(given)) };
}

export interface CheckOptions {
  /** Called with the reason when a check is skipped for the first time. */
  onSkipped?: (reason: string) => void;
  /** Time limit for a check. Default 400; an ordinary check takes a few milliseconds. */
  limitMilliseconds?: number;
}

/**
 * Compiles the `config_schema` or `metadata_schema` of a release, in each of its forms ({@link schemaParts}); see
 * {@link compileValidator} for the drafts.
 *
 * Some schemas make a check endless (a regular expression that backtracks, circular references), and some values make the
 * validator throw: it compares objects by `toString`, which may be a config. Such a check is skipped, and its value is taken
 * as valid, as the platform checks it too. After three skipped checks the schema checks nothing more.
 *
 * @throws UnusableSchemaError for a schema that cannot be compiled.
 */
export function compileReleaseSchema(
  given: JsonObject,
  { onSkipped = () => {}, limitMilliseconds = 400 }: CheckOptions = {},
): ReleaseSchema {
  const parts = partsOf(given);
  const { schema } = parts;
  const validate = compileValidator(schema);
  const hasWarnings = mayWarn(schema);
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
  const errorsOf = (value: object, mode: CheckMode) =>
    checkOr<ErrorObject[]>([], () => (validate.call(mode, value) ? [] : (validate.errors ?? [])));
  const annotations = annotationsOf(parts);
  const check = (value: object, dynamicConfigs: DynamicConfigs): SchemaViolation[] => {
    const found = (isStrict: boolean) =>
      violationsFrom(errorsOf(value, { isStrict, dynamicConfigs }), { value, schema });
    const errors = found(false);
    if (!hasWarnings) return errors;
    const known = new Set(errors.map(({ fingerprint }) => fingerprint));
    const isNew = ({ keyword, fingerprint }: SchemaViolation) => isOwnKeyword(keyword) && !known.has(fingerprint);
    return [...errors, ...found(true).filter(isNew).map(asWarning)];
  };
  return {
    violations: (value, dynamicConfigs) => {
      if (isDeeperThan(value, maxDepth)) return [depthViolation];
      const found = check(value, dynamicConfigs);
      const hasOptions = (definition: string) => optionsOf(dynamicConfigs, definition) !== undefined;
      const isAwaited = ({ keyword, path }: SchemaViolation) => {
        const definitions = missingKeywords.has(keyword) ? choicesAt(schema, path) : [];
        return definitions.length > 0 && !definitions.some(hasOptions);
      };
      const awaited = hasWarnings ? found.filter(isAwaited) : [];
      if (awaited.length === 0) return found;
      // what cannot be chosen yet counts as a value that is not known
      const filled = awaited.reduce((whole, { path }) => withPart(whole, path, unknownValue), value);
      return [...check(filled, dynamicConfigs), ...awaited.map((one) => ({ ...asWarning(one), message: notYet }))];
    },
    missingSecrets: (value) => {
      if (isDeeperThan(value, maxDepth)) return [];
      return missingSecretsFrom(errorsOf(value, lenient), { value, schema, isSecret: annotations.isHidden });
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

const notYet = "is required, and can be chosen after the tenant's first init sync";

function asWarning(violation: SchemaViolation): SchemaViolation {
  return { ...violation, severity: "warning" };
}

const depthViolation: SchemaViolation = {
  path: [],
  message: tooDeep,
  severity: "error",
  keyword: "depth",
  rule: {},
  fingerprint: JSON.stringify(["depth", []]),
};

interface Parts {
  schema: JsonObject;
  fields: readonly FormField[];
}

/** The readable schema of a release, and the fields of its form. */
function partsOf(given: JsonObject): Parts {
  const { schema, uischema } = schemaParts(given);
  // one that is too deep cannot be compiled
  return { schema: isDeeperThan(schema, maxDepth) ? schema : readableSchema(schema), fields: formFields(uischema) };
}

function annotationsOf({
  schema,
  fields,
}: Parts): Pick<ReleaseSchema, "isHidden" | "isWriteOnly" | "namesAt" | "dynamicChoices" | "formFieldAt"> {
  const hasChoices = JSON.stringify(schema).includes(choiceKeyword);
  return {
    isHidden: (path) => hasAnnotation(schema, isHidden, path),
    isWriteOnly: (path) => hasAnnotation(schema, isWriteOnly, path),
    namesAt: (path) => namesAt(schema, path),
    dynamicChoices: (value, dynamicConfigs) => (hasChoices ? choicesIn(schema, value, dynamicConfigs) : []),
    formFieldAt: (path) => fieldAt(fields, path),
  };
}
