import * as z from "zod";
import { allowedSourcesSchema } from "./acknowledge/allowed-sources.ts";

/** The command that generates the first token and stores it as a secret. */
const howToMakeFirst =
  'pulumi config set --secret --path "integration-platform:webhookReceiver.tokens[0]" "$(openssl rand -hex 32)"';

/** A token in the receiver's URL: at least 128 random bits in hex, in characters that a URL does not encode. */
const tokenSchema = z
  .string("a token must be a string; generate one with `openssl rand -hex 32`, and encrypt it")
  .regex(
    /^[A-Za-z0-9_-]{32,256}$/,
    'a token must have 32 to 256 random letters, digits, "-" and "_"; generate one with `openssl rand -hex 32`, and encrypt it',
  );

/** The valid tokens, the newest first: one, or two while one replaces the other. */
export const tokensSchema = z
  .tuple([tokenSchema], tokenSchema, `must be a list of one or two tokens; generate one with: ${howToMakeFirst}`)
  .refine((tokens) => tokens.length <= 2, "there may be at most two tokens")
  .refine((tokens) => new Set(tokens).size === tokens.length, "the two tokens must differ");

const isSource = (source: string) => !source.includes(",") && allowedSourcesSchema.safeParse(source).success;

/** Addresses and networks that may send webhooks. */
export const sourcesSchema = z.array(
  z
    .string("must be an IPv4 or IPv6 address, or a CIDR range")
    .refine(isSource, "must be an IPv4 or IPv6 address, or a CIDR range"),
  "must be a list of addresses and CIDR ranges",
);

// The values that Amazon CloudWatch Logs supports (PutRetentionPolicy).
const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const wholeNumber = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int(message).min(minimum, message).max(maximum, message);
};

/** How the receiver finds tenants that were created or archived without a webhook. */
export const reconciliationSchema = z.strictObject(
  {
    baseUrl: z.string("must be a URL").optional(),
    apiKey: z.string("must be a string").optional(),
    everyMinutes: wholeNumber(1, 1440).optional(),
    graceSeconds: wholeNumber(0, 604_800).optional(),
  },
  "must be an object such as { everyMinutes: 60, graceSeconds: 900 }, or false",
);

/** The value of `integration-platform:webhookReceiver` in a stack's YAML. */
export const webhookReceiverSchema = z.strictObject(
  {
    tokens: tokensSchema,
    /** Default: on, with the stack's platform and API key. */
    reconciliation: z.union([z.literal(false), reconciliationSchema], "must be an object, or false").optional(),
    allowedSources: sourcesSchema.optional(),
    alarmTopicArn: z
      .string("must be the ARN of an SNS topic")
      .regex(/^arn:[\w-]+:sns:/, "must be the ARN of an SNS topic")
      .optional(),
    silenceHours: wholeNumber(1, 168).optional(),
    logRetentionDays: z
      .literal(retentionDays, `must be a number of days that CloudWatch supports: ${retentionDays.join(", ")}`)
      .optional(),
    deletionProtection: z.boolean("must be true or false").optional(),
    reservedConcurrency: wholeNumber(1, 10_000).optional(),
  },
  "must be an object with tokens",
);

export type WebhookReceiverEntry = z.infer<typeof webhookReceiverSchema>;
