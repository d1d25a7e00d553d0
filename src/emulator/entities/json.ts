import { z } from "zod";
import { isRawNumber } from "../../number-text.ts";

/** A free-form object of the specification: any JSON object. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObjectSchema>;

/** Whether a parsed JSON value is an object, and neither an array nor null, nor a number that is kept as it was written. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}
