import { z } from "zod";
import { formatPath, isJsonObject, type JsonObject } from "../api/index.ts";
import { isUnknown, valueAt } from "../json-schema/index.ts";
import { nearest } from "../nearest.ts";
import type { Failure } from "./lifecycle.ts";

/** A free-form object: what the release's schema says of it is checked apart. */
export const freeFormSchema = z.custom<JsonObject>(isJsonObject, "must be an object");

/** Where in a resource's properties the secrets are: lists of keys, an index of a list being a key like any other. */
export const secretPathsSchema = z.array(z.array(z.string())).optional();

/** What of the inputs is not of the schema's shape; unknown values are passed over. */
export function shapeFailures(schema: z.ZodType, inputs: object): Failure[] {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return [];
  return parsed.error.issues
    .filter(({ path }) => !isUnknown(valueAt(inputs, path)))
    .flatMap((issue) => describeIssue(issue, schema))
    .map(({ path, reason }) => ({ property: formatPath(path), reason }));
}

/** An issue of zod in words; a key that the schema does not know gets a place of its own, and a suggestion. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
): { path: readonly PropertyKey[]; reason: string }[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, reason: issue.message }];
  const known = keysOf(schema, issue.path);
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    reason: `is not known here${nearest(key, known)}`,
  }));
}

/** The keys a schema allows at a path; none where that is not an object of fixed keys. */
function keysOf(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  const node = unwrap(schema);
  const [key, ...rest] = path;
  if (node instanceof z.ZodObject) {
    return key === undefined ? Object.keys(node.shape) : keysOf(node.shape[String(key)], rest);
  }
  if (node instanceof z.ZodRecord) return keysOf(node.valueType, rest);
  if (node instanceof z.ZodUnion) return node.options.flatMap((option) => keysOf(option, path));
  return [];
}

function unwrap(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
