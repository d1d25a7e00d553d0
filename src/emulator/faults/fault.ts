import { z } from "zod";
import { minLength } from "../../text-schema.ts";
import { regularExpressionSchema } from "../rules/regular-expression.ts";

const commonShape = {
  /** Which requests it strikes; all of the API's when absent. `path` and `query` are sources of regular expressions. */
  match: z
    .strictObject({
      method: z.string().optional(),
      path: regularExpressionSchema.optional(),
      query: regularExpressionSchema.optional(),
    })
    .optional(),
  /** How many matching requests pass unharmed first; default 0. */
  skip: z.int().min(0).optional(),
  /** How many requests it strikes; default 1, of a rate limit any number. */
  times: z.number().min(1).optional(),
};

const status = z.int().min(200).max(599);

/**
 * A fault on demand. Unless said otherwise below, a struck request takes no effect.
 *
 * - `status`: answers with this status, body (JSON, or text when it is a string) and headers. With `applied`, the request takes effect first.
 * - `delay`: answers `ms` milliseconds later; the request takes effect after the wait (with `applied`: before), also when the client has gone.
 * - `cut-before`: the connection is cut, the request takes no effect.
 * - `cut-after`: the request takes effect, then the connection is cut without an answer.
 * - `cut-middle`: the request takes effect, the connection is cut in the middle of the answer's body.
 * - `html`: a page of HTML (status 200 unless given), as from some proxy.
 * - `truncated-json`: the request takes effect, the answer is only the first half of its JSON.
 * - `slow-bytes`: the request takes effect, the answer's body comes in pieces over `ms` milliseconds.
 * - `wrong-shape`: the request takes effect; a list comes back inside an object, an object inside a list (or `body`, when given).
 * - `ignore-fields`: these top-level fields of the body are dropped before the request takes effect: answered as success, left unchanged.
 * - `rate-limit`: at most `perSecond` requests a second, others get 429 with `Retry-After` in seconds.
 */
export const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    ...commonShape,
    kind: z.literal("status"),
    status,
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    applied: z.boolean().optional(),
  }),
  z.strictObject({ ...commonShape, kind: z.literal("delay"), ms: z.number().min(0), applied: z.boolean().optional() }),
  z.strictObject({ ...commonShape, kind: z.literal("cut-before") }),
  z.strictObject({ ...commonShape, kind: z.literal("cut-after") }),
  z.strictObject({ ...commonShape, kind: z.literal("cut-middle") }),
  z.strictObject({ ...commonShape, kind: z.literal("html"), status: status.optional() }),
  z.strictObject({ ...commonShape, kind: z.literal("truncated-json") }),
  z.strictObject({ ...commonShape, kind: z.literal("slow-bytes"), ms: z.number().min(0) }),
  z.strictObject({ ...commonShape, kind: z.literal("wrong-shape"), body: z.unknown().optional() }),
  z.strictObject({ ...commonShape, kind: z.literal("ignore-fields"), fields: z.array(z.string()).check(minLength(1)) }),
  z.strictObject({ ...commonShape, kind: z.literal("rate-limit"), perSecond: z.number().positive() }),
]);
export type FaultSpec = z.infer<typeof faultSchema>;
