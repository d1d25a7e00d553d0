import * as z from "zod";
import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { formatPath, valueAt } from "../json/key-path.ts";
import { isUnknown } from "../json/unknown.ts";
import { didYouMean } from "./did-you-mean.ts";

/** An invalid input. */
export interface Failure {
  /** Path of the input, for example `configs.region`. */
  property: string;
  /** What is wrong and what would be valid. It never contains the value of a config. */
  reason: string;
}

/** A free-form object. The release's schema is checked separately. */
export const freeFormSchema = z.custom<JsonObject>(isJsonObject, "must be an object");

/** The paths of the secrets in a resource's properties. A path is a list of keys; the index of a list item is a key too. */
export const secretPathsSchema = z.array(z.array(z.string())).optional();

/** The inputs that do not match the schema. Values that are unknown in a preview are skipped. */
export function shapeFailures(schema: z.ZodType, inputs: object): Failure[] {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return [];
  return parsed.error.issues
    .filter(({ path }) => !isUnknown(valueAt(inputs, path)))
    .flatMap((issue) => describeIssue(issue, schema))
    .map(({ path, reason }) => ({ property: formatPath(path), reason }));
}

/** Paths and reasons for an issue of zod. Each unknown key gets its own path and a suggestion. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
): { path: readonly PropertyKey[]; reason: string }[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, reason: issue.message }];
  const known = keysOf(schema, issue.path);
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    reason: `is not known here${didYouMean(key, known)}`,
  }));
}

/** The keys that a schema allows at a path; empty if the schema has no fixed keys there. */
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
