import * as z from "zod";
import { allowedSourcesSchema } from "./acknowledge/allowed-sources.ts";

/** How to make a token and hand it over. */
const howToMakeOne =
  'pulumi config set --secret --path "integration-platform:webhookReceiver.tokens[0]" "$(openssl rand -hex 32)"';

/** A token of the receiver's URL: at least 128 bits in hex, in characters that a URL leaves alone. */
const tokenSchema = z
  .string(`a token must be a text; make one with: ${howToMakeOne}`)
  .regex(
    /^[A-Za-z0-9_-]{32,256}$/,
    `a token has 32 to 256 random letters, digits, "-" and "_"; make one with: ${howToMakeOne}`,
  );

/** The tokens that are let in, the newest first: one, or while one replaces the other, two. */
export const tokensSchema = z
  .tuple([tokenSchema], tokenSchema)
  .refine((tokens) => tokens.length <= 2, "at most two tokens are valid at a time")
  .refine((tokens) => new Set(tokens).size === tokens.length, "the two tokens are the same");

const isSource = (source: string) => !source.includes(",") && allowedSourcesSchema.safeParse(source).success;

/** Addresses and networks that may send. */
export const sourcesSchema = z.array(
  z
    .string("must be an IPv4 or IPv6 address, or a CIDR range")
    .refine(isSource, "must be an IPv4 or IPv6 address, or a CIDR range"),
  "must be a list of addresses and CIDR ranges",
);

// Amazon CloudWatch Logs, PutRetentionPolicy.
const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
};

/** How tenants that came or went without a webhook are found. */
export const reconciliationSchema = z.strictObject(
  {
    baseUrl: z.string("must be a URL").optional(),
    apiKey: z.string("must be a text").optional(),
    everyMinutes: wholeNumber(1, 1440).optional(),
    graceSeconds: wholeNumber(0, 604_800).optional(),
  },
  "must be { everyMinutes, graceSeconds }, or false",
);

/** What stands under `integration-platform:webhookReceiver` in a stack's YAML. */
export const webhookReceiverSchema = z.strictObject(
  {
    tokens: tokensSchema,
    /** Default: the stack's platform, with the stack's key. */
    reconciliation: z.union([z.literal(false), reconciliationSchema], "must be an object, or false").optional(),
    allowedSources: sourcesSchema.optional(),
    alarmTopicArn: z
      .string("must be the ARN of an SNS topic")
      .regex(/^arn:[\w-]+:sns:/, "must be the ARN of an SNS topic")
      .optional(),
    silenceHours: wholeNumber(1, 168).optional(),
    logRetentionDays: z
      .literal(retentionDays, `must be a number of days that CloudWatch knows: ${retentionDays.join(", ")}`)
      .optional(),
    deletionProtection: z.boolean("must be true or false").optional(),
    reservedConcurrency: wholeNumber(1, 10_000).optional(),
  },
  "must be { tokens }",
);

export type WebhookReceiverEntry = z.infer<typeof webhookReceiverSchema>;
