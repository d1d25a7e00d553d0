import * as z from "zod";
import { $ZodCheckMaxLength, $ZodCheckMinLength, type ParsePayload } from "zod/v4/core";

/** A string that is not empty, with messages for authors of programs and YAML. */
export function nonEmptyString(message = "must be a string") {
  return z.string(message).check(minLength(1, "must not be empty"));
}

// zod's own `min` and `max` read `length` of any value, even of a wrong type, and throw a TypeError if it is not a number.
// The input `{ "length": { "toString": 1 } }` would end the process.

/** A check for the minimum length of a string or a list. */
export function minLength(minimum: number, message?: string) {
  return new $ZodCheckMinLength({ check: "min_length", minimum, when: hasLength, ...errorOf(message) });
}

/** A check for the maximum length of a string or a list. */
export function maxLength(maximum: number, message?: string) {
  return new $ZodCheckMaxLength({ check: "max_length", maximum, when: hasLength, ...errorOf(message) });
}

function hasLength({ value }: ParsePayload): boolean {
  return typeof value === "string" || Array.isArray(value);
}

function errorOf(message: string | undefined) {
  return message === undefined ? {} : { error: () => message };
}
