import type { ErrorObject } from "ajv";
import { nearest } from "../nearest.ts";
import { hasUnknown, valueAt } from "./unknown.ts";

/** One place of a value that does not fit its schema. The message never contains the value. */
export interface Problem {
  /** Keys from the root of the value to the place. */
  path: readonly string[];
  message: string;
  /** The same for the same fault at the same place: tells an old problem from a new one. */
  fingerprint: string;
}

/** Keywords that say something about an object even if parts of it are not known yet. */
const shallowKeywords = new Set(["type", "required", "additionalProperties"]);

/** What an error of the validator says to a person; `undefined` where it may come from a value that is not known yet. */
export function describeProblem(error: ErrorObject, root: object): Problem | undefined {
  const place = error.instancePath.split("/").slice(1).map(decodePointer);
  const isShallow = shallowKeywords.has(error.keyword);
  const value = valueAt(root, place);
  if (typeof value === "symbol" || (!isShallow && hasUnknown(value))) return undefined;
  const extra = stringOf(error.params.missingProperty) ?? stringOf(error.params.additionalProperty);
  const path = extra !== undefined ? [...place, extra] : place;
  return {
    path,
    message: messageOf(error, extra),
    fingerprint: JSON.stringify([error.keyword, path]),
  };
}

function messageOf(error: ErrorObject, key: string | undefined): string {
  const { keyword, params, parentSchema } = error;
  const known = Object.keys(Object(parentSchema?.properties ?? {}));
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return `is not a key of the schema${nearest(key ?? "", known)}`;
  if (keyword === "enum") return `must be one of ${listOf(params.allowedValues)}`;
  if (keyword === "const") return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword === "type") return `must be ${[params.type].flat().join(" or ")}`;
  if (keyword === "format") return `must be in the format "${params.format}"`;
  if (keyword === "false schema") return "is not allowed";
  return error.message ?? "does not fit the schema";
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
