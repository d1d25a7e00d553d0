import { z } from "zod";
import { isLoopbackUrl } from "../rules/loopback.ts";
import { regularExpressionSchema } from "../rules/string-schemas.ts";

/** A scripted answer of an external service, for calls that match its `method` and `path`. */
export const targetAnswerSchema = z.strictObject({
  method: z.string().optional(),
  /** A regular expression for the path and query of the call. */
  path: regularExpressionSchema.optional(),
  /** Default 200. */
  status: z.int().min(200).max(599).optional(),
  /** JSON, or a string that is sent as it is, such as XML. Default: an empty object. */
  body: z.unknown().optional(),
  /** Whether the service never answers. */
  times_out: z.boolean().optional(),
});
export type TargetAnswer = z.infer<typeof targetAnswerSchema>;

/**
 * The external service of a connector: scripted answers, and a real service on this machine for calls that match none of
 * them.
 */
export const targetSchema = z.strictObject({
  answers: z.array(targetAnswerSchema).optional(),
  /** The base URL of a service on loopback, for a `target_url` that is only a path. */
  url: z.string().refine(isLoopbackUrl, "must be an http or https URL on loopback").optional(),
  /** The credentials: headers of every call to the real service. No response and no page shows them. */
  headers: z.record(z.string(), z.string()).optional(),
  /** How long the real service may take. Default 30. */
  timeout_seconds: z.number().positive().max(600).optional(),
});
export type Target = z.infer<typeof targetSchema>;

/** A call to an external service, as the platform makes it. */
export interface ProxiedCall {
  /** In upper case. */
  readonly method: string;
  /** The `target_url` of the request: a URL or a path. */
  readonly targetUrl: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly text: string; readonly contentType: string } | null;
}

/** The response of an external service. */
export interface TargetReply {
  readonly status: number;
  readonly text: string;
}
