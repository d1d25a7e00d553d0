import { z } from "zod";

/** Specification, "CreateTenant": lowercase letters, digits and `-`; `-` is neither first nor last. */
export const tenantNameSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    "must be lowercase letters, digits and '-', and neither start nor end with '-'",
  );

/** The source of a regular expression. */
export const regularExpressionSchema = z.string().refine(isRegularExpression, "must be a valid regular expression");

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
