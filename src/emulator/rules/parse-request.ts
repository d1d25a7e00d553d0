import type { z } from "zod";
import { InvalidRequest, type ValidationDetail } from "./problems.ts";

/**
 * Parses a part of a request.
 *
 * @param location the part of the request. It becomes the first element of each problem's `loc`.
 * @throws InvalidRequest with every problem.
 */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  location: "body" | "query" | "path",
): z.infer<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(parsed.error.issues.flatMap((issue) => detailsOf(issue, location)));
}

function detailsOf(issue: z.core.$ZodIssue, location: string): ValidationDetail[] {
  const path = issue.path.map((segment) => (typeof segment === "symbol" ? String(segment) : segment));
  const loc = [location, ...path];
  if (issue.code === "invalid_type" && issue.input === undefined)
    return [{ loc, msg: "Field required", type: "missing" }];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      loc: [...loc, key],
      msg: "Extra inputs are not permitted",
      type: "extra_forbidden",
    }));
  }
  return [
    { loc, msg: issue.message, type: typeOf(issue), ...(issue.input === undefined ? {} : { input: issue.input }) },
  ];
}

function typeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `${issue.expected}_type`;
  if (issue.code === "invalid_value") return "enum";
  if (issue.code === "too_big") return issue.origin === "string" ? "string_too_long" : "less_than_equal";
  if (issue.code === "too_small") return issue.origin === "string" ? "string_too_short" : "greater_than_equal";
  return "value_error";
}
