import * as z from "zod";
import { parseBaseUrl } from "../api/base-url.ts";
import { ConfigurationError } from "../api/errors.ts"; // a stack's YAML is checked without the client
import { allowedSourcesSchema } from "./acknowledge/allowed-sources.ts";
import { isStrongToken } from "./acknowledge/token.ts";
import { subscribedTypesSchema } from "./subscribed-types.ts";

/** The command that generates the first token and stores it as a secret. */
const howToMakeFirst =
  'pulumi config set --secret --path "integration-platform:webhookReceiver.tokens[0]" "$(openssl rand -hex 32)"';

/**
 * A token in the receiver's URL: random, in characters that a URL does not encode.
 *
 * @param name what the messages call it.
 */
const tokenSchemaOf = (name: string, next = "generate one with `openssl rand -hex 32`") =>
  z
    .string(`${name} must be a string; ${next}`)
    .regex(/^[A-Za-z0-9_-]{32,256}$/, {
      abort: true, // a short token is also a weak one
      error: `${name} must have 32 to 256 random letters, digits, "-" and "_"; ${next}`,
    })
    .refine(isStrongToken, `${name} must be random, and this one can be guessed; ${next}`);

/** Why a string cannot be the token of a local receiver. `name` is what the text calls it. */
export function tokenProblem(token: string, name: string): string | undefined {
  const { error } = tokenSchemaOf(name).safeParse(token);
  return error?.issues.map(({ message }) => message).join("; ");
}

const tokenSchema = tokenSchemaOf("a token", "generate one with `openssl rand -hex 32`, and encrypt it");

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

/** A string with the form of an ARN of a service. */
const arn = (service: string, what: string) => {
  const message = `must be the ARN of ${what}`;
  return z.string(message).regex(new RegExp(`^arn:[\\w-]+:${service}:`), message);
};

const isReachable = (url: string) => {
  try {
    parseBaseUrl(url, []);
    return true;
  } catch (error) {
    if (error instanceof ConfigurationError) return false;
    throw error;
  }
};
const urlMessage = "must be an https URL such as https://platform.example.com, without /v2";

/** The platform that sends the webhooks, and the key with which the receiver reads its tenants. */
export const platformSchema = z.strictObject(
  {
    baseUrl: z.string(urlMessage).refine(isReachable, urlMessage),
    apiKey: z.string("must be a string").min(1, "must not be empty"),
  },
  "must be an object such as { baseUrl: https://platform.example.com, apiKey: <secret> }",
);

/** How the receiver finds tenants that were created or archived without a webhook. */
export const reconciliationSchema = z.strictObject(
  {
    everyMinutes: wholeNumber(1, 1440).optional(),
    graceSeconds: wholeNumber(0, 604_800).optional(),
    maximumEvents: wholeNumber(1, 100_000).optional(),
  },
  "must be an object such as { everyMinutes: 60, graceSeconds: 900 }, or false",
);

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The custom domain of a REST API. */
export const domainSchema = z.strictObject(
  {
    name: z
      .string("must be a host name such as webhooks.example.com")
      .regex(hostName, "must be a host name such as webhooks.example.com, in lowercase"),
    certificateArn: arn("acm", "a certificate of AWS Certificate Manager in the receiver's region"),
  },
  "must be an object with name and certificateArn",
);

/** A REST API in front of the acknowledging function. The bounds are the default quotas of API Gateway. */
export const restApiSchema = z.strictObject(
  {
    requestsPerSecond: wholeNumber(1, 10_000).optional(),
    burst: wholeNumber(1, 5_000).optional(),
    webAclArn: arn("wafv2", "a web ACL of AWS WAF in the receiver's region").optional(),
    domain: domainSchema.optional(),
  },
  "must be an object such as { requestsPerSecond: 100, burst: 200 }",
);

/** What gets events from the bus. */
export const subscriptionSchema = z.strictObject(
  {
    eventTypes: subscribedTypesSchema,
    targetArn: arn("(lambda|sns|sqs)", "a Lambda function, an SNS topic or an SQS queue"),
  },
  "must be an object with eventTypes and targetArn",
);

/**
 * The name of a subscription in YAML. The names of its parts in AWS derive from it: that of the rule has a prefix and a
 * suffix, and at most 64 characters (Amazon EventBridge, PutRule).
 */
export const subscriptionNameSchema = z.string().regex(/^[a-z0-9-]{1,32}$/);

const subscriptionsSchema = z.record(subscriptionNameSchema, subscriptionSchema, {
  error: ({ code }) =>
    code === "invalid_key"
      ? 'is the name of a subscription, which must be 1 to 32 lowercase letters, digits and "-", because names in AWS contain it'
      : "must be an object of subscriptions by name",
});

const rangeOfDays = `must be a number of days that CloudWatch supports: ${retentionDays.join(", ")}`;

/** The arguments of the component. A stack's YAML has the same keys. */
export const receiverArgsSchema = z.strictObject(
  {
    tokens: tokensSchema,
    platform: platformSchema.optional(),
    reconciliation: z
      .union(
        [z.literal(false), reconciliationSchema],
        "must be an object such as { everyMinutes: 60, graceSeconds: 900 }, or false",
      )
      .optional(),
    allowedSources: sourcesSchema.optional(),
    alarmTopicArn: arn("sns", "an SNS topic").optional(),
    silenceHours: wholeNumber(1, 168).optional(), // the longest time that an alarm with periods of an hour may evaluate
    logRetentionDays: z.literal(retentionDays, rangeOfDays).optional(),
    ledgerRetentionDays: wholeNumber(30, 3650).optional(),
    archiveDays: wholeNumber(0, 3650).optional(),
    deletionProtection: z.boolean("must be true or false").optional(),
    reservedConcurrency: wholeNumber(1, 10_000).optional(),
    consumerConcurrency: wholeNumber(2, 1000).optional(), // AWS Lambda, ScalingConfig of an event source mapping
    restApi: restApiSchema.optional(),
  },
  "must be an object with tokens",
);

/** The platform in a stack's YAML. What is absent is that of the stack. */
export const declaredPlatformSchema = platformSchema.partial();

/** The value of `integration-platform:webhookReceiver` in a stack's YAML. */
export const webhookReceiverSchema = z.strictObject(
  {
    ...receiverArgsSchema.shape,
    platform: declaredPlatformSchema.optional(),
    /** Subscriptions by name. */
    onEvent: subscriptionsSchema.optional(),
  },
  "must be an object with tokens",
);

export type WebhookReceiverEntry = z.infer<typeof webhookReceiverSchema>;
