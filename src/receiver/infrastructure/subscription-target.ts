import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { createDroppedAlarm, createFunctionFailures } from "./function-failures.ts";
import { createScope } from "./scope.ts";
import type { SubscriptionSource } from "./subscription-dead-letters.ts";

/** What gets the events of a subscription: a function, a topic, a queue, or the ARN of one. */
export type SubscriptionTarget = aws.lambda.Function | aws.sns.Topic | aws.sqs.Queue | pulumi.Input<string>;

/** What the bus needs to deliver to a target. */
export interface DeliverySettings extends SubscriptionSource {
  readonly rule: aws.cloudwatch.EventRule;
  /** The options of resources that belong to the subscription. */
  readonly options: { readonly parent: pulumi.Resource };
}

export function targetArn(target: SubscriptionTarget): pulumi.Input<string> {
  return isResource(target) ? target.arn : target;
}

/** The target's name in the program, or the last part of its ARN. Undefined if the ARN is an output. */
export function targetName(target: SubscriptionTarget): string | undefined {
  if (isResource(target)) return pulumi.resourceName(target);
  return typeof target === "string" ? target.split(":").at(-1) : undefined;
}

/**
 * Allows the bus to deliver to a target. The policy of a topic or a queue exists once, as does a function's setting for
 * failures: it belongs to the receiver, and serves all its subscriptions to this target. Returns what has to exist before the
 * first event.
 */
export function allowDelivery(
  name: string,
  target: SubscriptionTarget,
  settings: DeliverySettings,
): readonly pulumi.Resource[] {
  if (!isResource(target)) return isFunctionArn(target) ? [allowInvocationByArn(name, target, settings)] : [];
  const isFirst = claim(target, settings.receiver);
  const once = isFirst ? createOnce(target, settings) : [];
  return aws.lambda.Function.isInstance(target) ? [allowInvocation(name, target.name, settings), ...once] : once;
}

function isResource(target: SubscriptionTarget): target is aws.lambda.Function | aws.sns.Topic | aws.sqs.Queue {
  return pulumi.Resource.isInstance(target);
}

function isFunctionArn(target: pulumi.Input<string>): target is string {
  return typeof target === "string" && /^arn:[\w-]+:lambda:/.test(target);
}

/** The receivers that own what exists once for a target. */
const owners = new WeakMap<pulumi.Resource, pulumi.Resource>();

/** Returns whether this is the receiver's first subscription to the target. */
function claim(target: pulumi.Resource, receiver: pulumi.Resource): boolean {
  const owner = owners.get(target) ?? receiver;
  if (owner !== receiver) {
    throw new pulumi.RunError(
      `"${pulumi.resourceName(target)}" already gets events from the receiver "${pulumi.resourceName(owner)}", which owns its policy; declare the policy for both receivers, and subscribe with { allowDelivery: false }`,
    );
  }
  const isFirst = !owners.has(target);
  owners.set(target, receiver);
  return isFirst;
}

function createOnce(
  target: aws.lambda.Function | aws.sns.Topic | aws.sqs.Queue,
  settings: DeliverySettings,
): readonly pulumi.Resource[] {
  const { receiver } = settings;
  // Named after the target: the resources stay when the subscription that created them first is removed.
  const name = `${pulumi.resourceName(receiver)}-${pulumi.resourceName(target)}`;
  const options = { parent: receiver };
  if (aws.lambda.Function.isInstance(target)) return createFunctionFailures(name, target, settings);
  if (aws.sns.Topic.isInstance(target)) return [allowPublishing(name, target, options)];
  return [allowSending(name, target, settings, options)];
}

function allowInvocationByArn(name: string, functionArn: string, settings: DeliverySettings) {
  createDroppedAlarm(createScope(name, settings.options.parent), functionArn, settings.alarmTopicArn);
  return allowInvocation(name, functionArn, settings);
}

function allowInvocation(name: string, lambda: pulumi.Input<string>, { rule, options }: DeliverySettings) {
  return new aws.lambda.Permission(
    name,
    {
      function: lambda,
      action: "lambda:InvokeFunction",
      principal: "events.amazonaws.com",
      sourceArn: rule.arn,
    },
    options,
  );
}

/**
 * Replaces the policy of a topic. Keeps what SNS allows by default: the alarms of the account notify topics by it. The bus's
 * permission has no condition: EventBridge supports none in the policy of a topic (Amazon EventBridge, "Using resource-based
 * policies", Amazon SNS permissions).
 */
function allowPublishing(name: string, topic: aws.sns.Topic, options: pulumi.CustomResourceOptions): pulumi.Resource {
  const ownAccount = {
    Sid: "__default_statement_ID",
    Effect: "Allow",
    Principal: { AWS: "*" },
    Action: [
      "SNS:GetTopicAttributes",
      "SNS:SetTopicAttributes",
      "SNS:AddPermission",
      "SNS:RemovePermission",
      "SNS:DeleteTopic",
      "SNS:Subscribe",
      "SNS:ListSubscriptionsByTopic",
      "SNS:Publish",
    ],
    Resource: topic.arn,
    Condition: { StringEquals: { "AWS:SourceOwner": topic.arn.apply(accountOf) } },
  };
  const policy = pulumi.jsonStringify({
    Version: "2008-10-17", // as in the default policy
    Statement: [ownAccount, { ...fromEventBridge, Action: "sns:Publish", Resource: topic.arn }],
  });
  return new aws.sns.TopicPolicy(name, { arn: topic.arn, policy }, options);
}

function accountOf(arn: string): string {
  return arn.split(":")[4] ?? "";
}

/** Replaces the policy of a queue. Without one, only the identities of its own account have access, and they keep it. */
function allowSending(
  name: string,
  queue: aws.sqs.Queue,
  { bus }: DeliverySettings,
  options: pulumi.CustomResourceOptions,
): pulumi.Resource {
  // All rules of the bus, so that a second subscription does not change the policy.
  const rules = bus.arn.apply((arn) => `${arn.replace(":event-bus/", ":rule/")}/*`);
  const statement = {
    ...fromEventBridge,
    Action: "sqs:SendMessage",
    Resource: queue.arn,
    Condition: { ArnLike: { "aws:SourceArn": rules } },
  };
  const policy = pulumi.jsonStringify({ Version: "2012-10-17", Statement: [statement] });
  return new aws.sqs.QueuePolicy(name, { queueUrl: queue.url, policy }, options);
}

const fromEventBridge = { Effect: "Allow", Principal: { Service: "events.amazonaws.com" } } as const;
