import * as z from "zod";
import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { formatPath, valueAt } from "../json/key-path.ts";
import { isUnknown } from "../json/unknown.ts";
import { describeIssues } from "./describe-issues.ts";

/** An invalid input. */
export interface Failure {
  /** Path of the input, for example `configs.region`. */
  property: string;
  /** What is wrong and what would be valid. It never contains the value of a config. */
  reason: string;
}

/** A free-form object. The release's schema is checked separately. */
export const freeFormSchema = z.custom<JsonObject>(isJsonObject, "must be an object of keys and values");

/** The paths of the secrets in a resource's properties. A path is a list of keys; the index of a list item is a key too. */
export const secretPathsSchema = z.array(z.array(z.string())).optional();

/** The inputs that do not match the schema or that JSON cannot hold. Values that are unknown in a preview are skipped. */
export function shapeFailures(schema: z.ZodType, inputs: object): Failure[] {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return nonFiniteFailures(inputs);
  return describeIssues(parsed.error.issues, schema, inputs)
    .filter(({ path, isUnknownKey }) => isUnknownKey || !isUnknown(valueAt(inputs, path)))
    .map(({ path, reason }) => ({ property: formatPath(path), reason }));
}

/** The numbers that would be sent as null, as JSON has neither NaN nor infinity. */
function nonFiniteFailures(value: unknown, path: readonly PropertyKey[] = []): Failure[] {
  if (typeof value === "number" && !Number.isFinite(value)) {
    const reason = "is a number that JSON cannot hold (NaN or infinite): null would be sent in its place";
    return [{ property: formatPath(path), reason }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => nonFiniteFailures(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => nonFiniteFailures(part, [...path, key]));
}
