import { z } from "zod";

/** The source of a regular expression. */
export const regularExpressionSchema = z
  .string()
  .refine(isRegularExpression, "must be the source of a regular expression");

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
