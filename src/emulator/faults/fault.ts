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
 * A fault on demand: something that goes wrong with the next matching request. `faultKinds` says what each kind does, and
 * the console shows it at `/console/faults`.
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
  z.strictObject({ ...commonShape, kind: z.literal("wrong-date"), seconds: z.number() }),
  z.strictObject({ ...commonShape, kind: z.literal("rate-limit"), perSecond: z.number().positive() }),
]);
export type FaultSpec = z.infer<typeof faultSchema>;

/** The names of the kinds of faults. */
export const faultKindSchema = z.enum(faultSchema.options.map(({ shape }) => shape.kind.value));
