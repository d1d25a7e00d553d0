import * as z from "zod";
import type { JsonObject, JsonValue } from "./json-value.ts";

/** Accepts exactly what JSON can hold: no `undefined`, `NaN`, dates, functions or class instances. */
export const jsonValueSchema: z.ZodType<JsonValue> = z.json();

/** Accepts an object of JSON values: neither a list nor null. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonValueSchema);
