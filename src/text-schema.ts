import { z } from "zod";
import { $ZodCheckMaxLength, $ZodCheckMinLength, type ParsePayload } from "zod/v4/core";

/** A text that is not empty, refused in the words of those who write programs and YAML. */
export function filledText(otherwise = "must be a text") {
  return z.string(otherwise).check(minLength(1, "must not be empty"));
}

// zod's own `min` and `max` look at anything with a `length`, even where the type is wrong already, and throw a TypeError
// at a `length` that is no number: `{ "length": { "toString": 1 } }` from outside would be a crash.

/** The least length of a text or a list. */
export function minLength(minimum: number, otherwise?: string) {
  return new $ZodCheckMinLength({ check: "min_length", minimum, when: hasLength, ...errorOf(otherwise) });
}

/** The greatest length of a text or a list. */
export function maxLength(maximum: number, otherwise?: string) {
  return new $ZodCheckMaxLength({ check: "max_length", maximum, when: hasLength, ...errorOf(otherwise) });
}

function hasLength({ value }: ParsePayload): boolean {
  return typeof value === "string" || Array.isArray(value);
}

function errorOf(otherwise: string | undefined) {
  return otherwise === undefined ? {} : { error: () => otherwise };
}
