import type { ErrorObject, ValidateFunction } from "ajv";
import { ajvOf } from "./ajv-of.ts";
import type { JsonObject } from "./json.ts";
import { hasExactNumbers, restoreExactNumbers, roundedNumbers } from "./json.ts";
import type { ValidationDetail } from "./problems.ts";
import { jsonSchemaOf, withoutPlaceholders } from "./schema-form.ts";

/**
 * Checks configs or metadata against the JSON Schema of a release. Returns the value, with the schema's defaults when
 * `fillDefaults` is set, and its problems. Every value is valid without a schema, and with a schema that cannot be compiled,
 * such as one with a remote `$ref`.
 *
 * A `format` is a note that refuses nothing.
 *
 * @param options.acceptPlaceholders whether every value is valid at a dynamic choice; see the variant `placeholders`.
 * @param options.loc the place of the value in the request, for example `["body", "configs"]`.
 */
export function checkAgainstSchema(
  schema: JsonObject | null,
  value: JsonObject,
  options: {
    readonly fillDefaults: boolean;
    readonly acceptPlaceholders: boolean;
    readonly loc: readonly string[];
  },
): { readonly value: JsonObject; readonly problems: ValidationDetail[] } {
  const { fillDefaults, acceptPlaceholders, loc } = options;
  const validate = schema ? validatorOf(schema, fillDefaults, acceptPlaceholders) : undefined;
  if (!validate) return { value, problems: [] };

  const hasExact = hasExactNumbers(value);
  const filled = hasExact ? roundedNumbers(value) : structuredClone(value);
  const isValid = validate(filled);
  return {
    value: hasExact ? restoreExactNumbers(filled, value) : filled,
    problems: isValid ? [] : (validate.errors ?? []).map((error) => detailOf(error, filled, loc)),
  };
}

/** By schema, for all emulators of the process: compiling one takes about 30 ms. */
const compiled = new Map<string, ValidateFunction | undefined>();
const cacheSize = 200;

function validatorOf(given: JsonObject, fillDefaults: boolean, acceptPlaceholders: boolean) {
  const schema = acceptPlaceholders ? withoutPlaceholders(jsonSchemaOf(given)) : jsonSchemaOf(given);
  const key = `${fillDefaults} ${JSON.stringify(schema)}`;
  if (compiled.has(key)) return compiled.get(key);
  if (compiled.size >= cacheSize) compiled.clear();
  const validator = compile(schema, fillDefaults);
  compiled.set(key, validator);
  return validator;
}

function compile(schema: JsonObject, fillDefaults: boolean): ValidateFunction | undefined {
  const ajv = ajvOf(schema, { useDefaults: fillDefaults, validateFormats: false });
  try {
    const validate = ajv.compile(schema);
    // The validator of an asynchronous schema returns a promise, which would count as true.
    return "$async" in validate ? undefined : validate;
  } catch {
    return undefined;
  }
}

function detailOf(error: ErrorObject, value: JsonObject, loc: readonly string[]): ValidationDetail {
  const segments = error.instancePath.split("/").slice(1).map(unescapePointer);
  const keyAtFault: unknown = error.params.missingProperty ?? error.params.additionalProperty;
  const path = typeof keyAtFault === "string" ? [...segments, keyAtFault] : segments;
  return {
    loc: [...loc, ...asIndices(path, value)],
    msg: error.message ?? "is not valid",
    type: error.keyword === "required" ? "missing" : error.keyword,
    ctx: error.params,
  };
}

function unescapePointer(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The segments of a path. Those that are indices of arrays become numbers. */
function asIndices(path: readonly string[], value: unknown): (string | number)[] {
  let current = value;
  return path.map((segment) => {
    const isIndex = Array.isArray(current);
    current =
      typeof current === "object" && current !== null
        ? Object.entries(current).find(([key]) => key === segment)?.[1]
        : undefined;
    return isIndex ? Number(segment) : segment;
  });
}
