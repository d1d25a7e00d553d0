import * as pulumi from "@pulumi/pulumi";
import type * as z from "zod";
import { describeIssues, keyNouns } from "../inputs/describe-issues.ts";
import { issuesOfKnownValues } from "../inputs/unknown-issues.ts";
import { formatPath, type KeyPath } from "../json/key-path.ts";
import { unknownValue } from "../json/unknown.ts";
import type { RestApiArgs, WebhookReceiverArgs } from "./args.ts";
import { domainSchema, platformSchema, receiverArgsSchema, restApiSchema } from "./schema.ts";

/** The arguments of a receiver, with their defaults. An output fails the deployment if its value turns out to be invalid. */
export type CheckedArgs = ReturnType<typeof checkedArgs>;

/** The settings of the REST API in front of the acknowledging function. */
export type CheckedRestApi = ReturnType<typeof checkedRestApi>;

/**
 * Checks the arguments of a receiver: plain values at once, and outputs as soon as they are known.
 *
 * @throws RunError with all problems of the plain values. It quotes none of them.
 */
export function checkedArgs(receiver: string, args: WebhookReceiverArgs) {
  const refuse = (problems: readonly string[]) => {
    if (problems.length === 0) return;
    throw new pulumi.RunError(`the webhook receiver "${receiver}" has invalid arguments: ${problems.join("; ")}`);
  };
  refuse([
    ...problemsOf(receiverArgsSchema, withUnknownValues(args)),
    ...problemsWithoutPlatform(args),
    ...problemsOfName(receiver, args),
  ]);

  const { platform, reconciliation = platform && {}, restApi } = args;
  const { tokens, allowedSources, alarmTopicArn } = receiverArgsSchema.shape;
  const checked = <Value>(path: KeyPath, schema: z.ZodType<Value>, input: ReceiverInput) =>
    pulumi.output<ReceiverInput>(input).apply((value) => {
      refuse(problemsOf(schema, value, path));
      return schema.parse(value);
    });
  return {
    tokens: pulumi.secret(checked(["tokens"], tokens, args.tokens)),
    platform: platform && {
      baseUrl: checked(["platform", "baseUrl"], platformSchema.shape.baseUrl, platform.baseUrl),
      apiKey: pulumi.secret(checked(["platform", "apiKey"], platformSchema.shape.apiKey, platform.apiKey)),
    },
    /** Undefined if the receiver does not reconcile. */
    reconciliation: reconciliation
      ? {
          everyMinutes: reconciliation.everyMinutes ?? 60,
          graceSeconds: reconciliation.graceSeconds ?? 900,
          maximumEvents: reconciliation.maximumEvents ?? 50,
        }
      : undefined,
    /** An empty list allows every source. */
    allowedSources: checked(["allowedSources"], allowedSources.unwrap(), args.allowedSources ?? []),
    alarmTopicArn:
      args.alarmTopicArn === undefined
        ? undefined
        : checked(["alarmTopicArn"], alarmTopicArn.unwrap(), args.alarmTopicArn),
    silenceHours: args.silenceHours,
    logRetentionDays: args.logRetentionDays ?? 30,
    ledgerRetentionDays: args.ledgerRetentionDays,
    /** 0 if the bus has no archive. */
    archiveDays: args.archiveDays ?? 30,
    isProtected: args.deletionProtection ?? true,
    reservedConcurrency: args.reservedConcurrency,
    consumerConcurrency: args.consumerConcurrency ?? 2,
    restApi: restApi && checkedRestApi(restApi, checked),
  };
}

type ReceiverInput = pulumi.Input<string> | pulumi.Input<readonly pulumi.Input<string>[]>;
type Check = <Value>(path: KeyPath, schema: z.ZodType<Value>, input: ReceiverInput) => pulumi.Output<Value>;

function checkedRestApi({ webAclArn, domain, ...limits }: RestApiArgs, checked: Check) {
  const { shape } = restApiSchema;
  const { shape: domainShape } = domainSchema;
  return {
    requestsPerSecond: limits.requestsPerSecond ?? 100,
    burst: limits.burst ?? 200,
    webAclArn:
      webAclArn === undefined ? undefined : checked(["restApi", "webAclArn"], shape.webAclArn.unwrap(), webAclArn),
    domain: domain && {
      name: checked(["restApi", "domain", "name"], domainShape.name, domain.name),
      certificateArn: checked(
        ["restApi", "domain", "certificateArn"],
        domainShape.certificateArn,
        domain.certificateArn,
      ),
    },
  };
}

/** What is wrong with a value as far as it is known. `path` is where the value stands in the arguments. */
function problemsOf(schema: z.ZodType, value: unknown, path: KeyPath = []): string[] {
  const issues = schema.safeParse(value).error?.issues.flatMap((issue) => issuesOfKnownValues(issue, value)) ?? [];
  return describeIssues(issues, schema, value).map(({ path: inner, reason }) => {
    return `${formatPath([...path, ...inner])}: ${reason}`;
  });
}

/** Reconciliation needs a platform, which a stack's YAML always has. */
function problemsWithoutPlatform({ platform, reconciliation }: WebhookReceiverArgs): string[] {
  if (platform !== undefined || !reconciliation) return [];
  return ["reconciliation: needs platform, as the receiver reads its tenants"];
}

/** The name of the archive is `<receiver>-archive-<7 characters>`, of at most 48 (Amazon EventBridge, CreateArchive). */
function problemsOfName(receiver: string, { archiveDays = 30 }: WebhookReceiverArgs): string[] {
  if (archiveDays === 0 || receiver.length <= 32) return [];
  return ["the name of the receiver: may have at most 32 characters, because AWS limits the name of its archive"];
}

/** What the deployment accepts, and an operator should know before it. Each is a sentence. */
export function warningsAbout(receiver: string, args: WebhookReceiverArgs): string[] {
  const { reservedConcurrency: reserved, restApi, alarmTopicArn } = args;
  const requests = (reserved ?? 0) * 10;
  return [
    ...(alarmTopicArn === undefined
      ? [`nobody hears the alarms of the webhook receiver "${receiver}": set alarmTopicArn to an SNS topic`]
      : []),
    ...(reserved !== undefined && reserved < 10 && restApi === undefined
      ? [
          `reservedConcurrency ${reserved} of the webhook receiver "${receiver}" limits its URL to ${requests} requests a second: archiving more than ${requests} tenants at once loses events. Set it to at least a tenth of the number of tenants`,
        ]
      : []),
  ];
}

/** A value with unknown values in place of its outputs. */
function withUnknownValues(value: unknown): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return unknownValue;
  if (Array.isArray(value)) return value.map(withUnknownValues);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withUnknownValues(inner)]));
}

keyNouns
  .add(receiverArgsSchema, { noun: "an argument of the receiver" })
  .add(platformSchema, { noun: "a setting of the receiver's platform" });
