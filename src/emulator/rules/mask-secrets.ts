import type { DataValidationCxt } from "ajv/dist/types/index.js";
import { ajvOf } from "./ajv-of.ts";
import { isJsonObject, type JsonObject, roundedNumbers } from "./json.ts";
import { jsonSchemaOf } from "./schema-form.ts";

/** The mask that replaces a secret. */
export const mask = "***";

/** How a secret is masked; see the variant `maskedConfigs`. */
export type Masking = "yes" | "left-out" | "null" | "other";

/**
 * A copy of `value` with masked secrets: the values that its JSON Schema marks as `format: password` or `writeOnly`. A
 * validator finds them, whatever keywords and references lead to them.
 */
export function maskSecrets(schema: unknown, value: JsonObject, masking: Masking = "yes"): JsonObject {
  if (!isJsonObject(schema)) return value;
  const secrets = secretsIn(jsonSchemaOf(schema), value);
  if (secrets.size === 0) return value;
  const masked = maskAt(value, "", secrets, masking);
  return isJsonObject(masked) ? masked : {};
}

function maskAt(value: unknown, pointer: string, secrets: ReadonlySet<string>, masking: Masking): unknown {
  if (secrets.has(pointer)) return masked(value, masking);
  const child = (key: string | number, item: unknown) => maskAt(item, `${pointer}/${escaped(key)}`, secrets, masking);
  if (Array.isArray(value)) return value.map((item: unknown, index) => child(index, item) ?? null);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, child(key, item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** @returns undefined when the secret is left out. */
function masked(value: unknown, masking: Masking): unknown {
  if (value === null || value === undefined) return value;
  if (masking === "left-out") return undefined;
  if (masking === "null") return null;
  return masking === "other" ? "value is set" : mask;
}

/** The JSON pointers of the secrets in a value. */
function secretsIn(schema: JsonObject, value: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const finder = finderOf(schema);
  finder?.find(roundedNumbers(value), found);
  return found;
}

interface Finder {
  find(value: JsonObject, found: Set<string>): void;
}

const finders = new Map<string, Finder | undefined>();
const findersMaximum = 200;

function finderOf(schema: JsonObject): Finder | undefined {
  const key = JSON.stringify(schema);
  if (!/"(writeOnly|password)"/.test(key)) return undefined;
  if (!finders.has(key)) {
    if (finders.size >= findersMaximum) finders.clear();
    finders.set(key, createFinder(schema));
  }
  return finders.get(key);
}

/** A validator that accepts every value, and collects where the two keywords apply. */
function createFinder(schema: JsonObject): Finder | undefined {
  let noted = new Set<string>();
  const note = (isSecret: boolean, context: DataValidationCxt | undefined) => {
    if (isSecret && context !== undefined) noted.add(context.instancePath);
    return true;
  };
  const ajv = ajvOf(schema, { validateSchema: false });
  ajv.removeKeyword("format").removeKeyword("writeOnly");
  ajv.addKeyword({
    keyword: "format",
    validate: (format: unknown, _: unknown, __: unknown, at?: DataValidationCxt) => note(format === "password", at),
  });
  ajv.addKeyword({
    keyword: "writeOnly",
    validate: (is: unknown, _: unknown, __: unknown, at?: DataValidationCxt) => note(is === true, at),
  });
  try {
    // the validator of an asynchronous schema would return a promise
    const validate = ajv.compile({ ...schema, $async: false });
    return {
      find: (value, found) => {
        noted = found;
        validate(value);
      },
    };
  } catch {
    return undefined;
  }
}

function escaped(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}
