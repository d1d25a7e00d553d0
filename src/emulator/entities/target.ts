import { z } from "zod";
import { isLoopbackUrl } from "../rules/loopback.ts";
import { regularExpressionSchema } from "../rules/regular-expression.ts";

/** One scripted answer of an external service; a call that fits all that it names gets it. */
export const targetAnswerSchema = z.strictObject({
  method: z.string().optional(),
  /** Source of a regular expression for the path and query of the call. */
  path: regularExpressionSchema.optional(),
  /** Default 200. */
  status: z.int().min(200).max(599).optional(),
  /** JSON, or text as it is (XML, for example). Default: an empty object. */
  body: z.unknown().optional(),
  /** Whether the service never answers. */
  times_out: z.boolean().optional(),
});
export type TargetAnswer = z.infer<typeof targetAnswerSchema>;

/**
 * What stands behind a connector for proxy calls: scripted answers, or a real service on this machine. The answers are
 * looked through first.
 */
export const targetSchema = z.strictObject({
  answers: z.array(targetAnswerSchema).optional(),
  /** The base address of a service on loopback, for a `target_url` that is only a path. */
  url: z.string().refine(isLoopbackUrl, "must be an http(s) address on loopback").optional(),
  /** The credentials: headers that every call to a real service carries. Shown nowhere. */
  headers: z.record(z.string(), z.string()).optional(),
  /** How long a real service may take. Default 30. */
  timeout_seconds: z.number().positive().max(600).optional(),
});
export type Target = z.infer<typeof targetSchema>;
