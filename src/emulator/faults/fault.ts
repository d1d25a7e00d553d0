import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { regularExpressionSchema } from "../rules/string-schemas.ts";

const commonShape = {
  /** The requests that the fault applies to; absent means all requests to the API. `path` and `query` are regular expressions. */
  match: z
    .strictObject({
      method: z.string().optional(),
      path: regularExpressionSchema.optional(),
      query: regularExpressionSchema.optional(),
    })
    .optional(),
  /** How many matching requests pass before the fault applies. Default 0. */
  skip: z.int().min(0).optional(),
  /** How many requests the fault applies to. Default 1; of a rate limit, any number. */
  times: z.number().min(1).optional(),
};

const status = z.int().min(200).max(599);

/**
 * A fault on demand: something that goes wrong with the next matching request.
 *
 * With these kinds the request has no effect:
 *
 * - `status`: the response has this status, body (JSON, or a string as it is) and headers. With `applied`, the request takes effect before.
 * - `cut-before`: the connection is closed without a response.
 * - `html`: the response is an HTML page, as from a proxy, with status 200 unless `status` gives another.
 * - `rate-limit`: a request beyond `perSecond` requests a second gets 429 with `Retry-After` in seconds.
 *
 * With these kinds the request takes effect:
 *
 * - `delay`: the response comes `ms` milliseconds later. The request takes effect after the wait, or with `applied` before it, even when the client has gone.
 * - `cut-after`: then the connection is closed without a response.
 * - `cut-middle`: then the connection is closed in the middle of the response's body.
 * - `truncated-json`: the response is the first half of its JSON.
 * - `slow-bytes`: the body of the response comes in pieces over `ms` milliseconds.
 * - `wrong-shape`: a list comes back inside an object, and an object inside a list; or the response is `body`, when given.
 * - `ignore-fields`: but without these top-level fields of its body. The response is a success, and the fields stay unchanged.
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
