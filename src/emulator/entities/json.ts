import { z } from "zod";

/** A free-form object of the specification: any JSON object. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObjectSchema>;

/** An object that `JSON.stringify` writes as this text, which must be a number. */
export function keptNumber(text: string): object {
  // Node 22 has it, and TypeScript's library does not.
  const write: unknown = Reflect.get(JSON, "rawJSON");
  if (typeof write !== "function") throw new Error("JSON.rawJSON is missing: Node 22 or newer is needed");
  return write(text);
}

/** Whether a value was made by {@link keptNumber}. */
export function isKeptNumber(value: unknown): value is { readonly rawJSON: string } {
  const isRaw: unknown = Reflect.get(JSON, "isRawJSON");
  return typeof value === "object" && value !== null && typeof isRaw === "function" && isRaw(value) === true;
}

/** Whether a parsed JSON value is an object, and neither an array nor null, nor a number that is kept as it was written. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isKeptNumber(value);
}
