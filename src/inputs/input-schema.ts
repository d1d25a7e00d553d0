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

/** A free-form object that is sent to the platform: see {@link addNonFinite}. */
export const sentObjectSchema = freeFormSchema.check(addNonFinite);

/** Adds an issue for each NaN and infinite number in a value, which would be sent as null: JSON has no such numbers. */
export function addNonFinite({ value, issues }: z.core.ParsePayload<JsonObject>): void {
  const visit = (part: unknown, path: readonly string[]): void => {
    if (typeof part === "number" && !Number.isFinite(part)) {
      issues.push({
        code: "custom",
        path: [...path],
        message: "is a number that JavaScript cannot hold (NaN or infinite): null would be sent in its place",
        input: part,
      });
    }
    if (typeof part !== "object" || part === null) return;
    for (const [key, item] of Object.entries(part)) visit(item, [...path, key]);
  };
  visit(value, []);
}

/** The paths of the secrets in a resource's properties. A path is a list of keys; the index of a list item is a key too. */
export const secretPathsSchema = z.array(z.array(z.string())).optional();

/** The inputs that do not match the schema. Values that are unknown in a preview are skipped. */
export function shapeFailures(schema: z.ZodType, inputs: object): Failure[] {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return [];
  return describeIssues(parsed.error.issues, schema, inputs)
    .filter(({ path }) => !isUnknown(valueAt(inputs, path)))
    .map(({ path, reason }) => ({ property: formatPath(path), reason }));
}
