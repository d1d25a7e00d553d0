import type { ErrorObject } from "ajv";
import { didYouMean } from "../inputs/did-you-mean.ts";
import { valueAt } from "../json/key-path.ts";
import { hasUnknown, isUnknown } from "../json/unknown.ts";

/** One place of a value that violates its schema. The message never contains the value. */
export interface SchemaViolation {
  /** Keys from the root of the value to the place. */
  path: readonly string[];
  message: string;
  /** Equal for the same violation at the same place, whatever the value: tells new violations from old ones. */
  fingerprint: string;
}

/** Keywords that can be decided for an object whose parts are not all known yet. */
const shallowKeywords = new Set(["type", "required", "additionalProperties"]);

/** The violation that an error of the validator means; undefined where an unknown value may be its cause. */
export function violationFrom(error: ErrorObject, root: object): SchemaViolation | undefined {
  const place = error.instancePath.split("/").slice(1).map(decodePointer);
  const isShallow = shallowKeywords.has(error.keyword);
  const value = valueAt(root, place);
  if (isUnknown(value) || (!isShallow && hasUnknown(value))) return undefined;
  const key = stringOf(error.params.missingProperty) ?? stringOf(error.params.additionalProperty);
  const path = key !== undefined ? [...place, key] : place;
  return { path, message: messageOf(error, key), fingerprint: JSON.stringify([error.keyword, path]) };
}

function messageOf(error: ErrorObject, key: string | undefined): string {
  const { keyword, params, parentSchema } = error;
  const known = Object.keys(Object(parentSchema?.properties ?? {}));
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return `is not a key of the schema${didYouMean(key ?? "", known)}`;
  if (keyword === "enum") return `must be one of ${listOf(params.allowedValues)}`;
  if (keyword === "const") return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === "type") return `must be ${[params.type].flat().join(" or ")}`;
  if (keyword === "format") return `must be in the format "${params.format}"`;
  if (keyword === "false schema") return "is not allowed";
  return error.message ?? "violates the schema";
}

function decodePointer(key: string) {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

function stringOf(value: unknown) {
  return typeof value === "string" ? value : undefined;
}

function listOf(values: unknown) {
  return [values]
    .flat()
    .map((value) => JSON.stringify(value))
    .join(", ");
}
