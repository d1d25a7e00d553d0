import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { awsCommand, replayCommand, text } from "./alarm-texts.ts";
import { createAlarm, holdsMessages } from "./alarms.ts";
import { createScope, type Scope } from "./scope.ts";
import { createEventQueue, type SubscriptionSource } from "./subscription-dead-letters.ts";

/**
 * Sends the events that a function fails to handle to a queue of its own, which has an alarm. Also allows the function to
 * keep the items of `idempotent` in the ledger, and no other items. Returns what has to exist before the first event.
 *
 * The queue belongs to the function and not to a subscription: AWS has one destination for the failures of a function,
 * whichever rule sent the event.
 */
export function createFunctionFailures(
  name: string,
  lambda: aws.lambda.Function,
  { receiver, ledger, bus, archive, alarmTopicArn }: SubscriptionSource,
): readonly pulumi.Resource[] {
  const scope = createScope(name, receiver);
  const queue = createEventQueue(scope, "failures");
  const statements = [
    { Effect: "Allow", Action: "sqs:SendMessage", Resource: queue.arn },
    {
      Effect: "Allow",
      Action: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"],
      Resource: ledger.arn,
      Condition: {
        "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [pulumi.interpolate`idempotency#${lambda.name}`] },
      },
    },
  ];
  const policy = new aws.iam.RolePolicy(
    scope.named("failures"), // the receiver's own functions have policies too, such as `events-consume`
    {
      role: lambda.role.apply((arn) => arn.slice(arn.lastIndexOf("/") + 1)), // the name, after a path
      policy: pulumi.jsonStringify({ Version: "2012-10-17", Statement: statements }),
    },
    scope.options,
  );
  const failures = new aws.lambda.FunctionEventInvokeConfig(
    name,
    { functionName: lambda.name, destinationConfig: { onFailure: { destination: queue.arn } } },
    { ...scope.options, dependsOn: [policy] }, // AWS checks that the role may send to the queue
  );
  const names = pulumi.output({ queueUrl: queue.url, bus: bus.arn, archive: archive?.arn });
  createAlarm(scope, alarmTopicArn)("failures-alarm", names.apply(failuresText), holdsMessages(queue));
  return [policy, failures];
}

/**
 * What the alarm tells. It names no redrive: SQS cannot redrive a queue that Lambda fills (Amazon SQS, StartMessageMoveTask).
 * The archive sends the events to all subscriptions, because the function may have several.
 */
export function failuresText({
  queueUrl,
  bus,
  archive,
}: {
  readonly queueUrl: string;
  /** The ARNs of the bus and the archive. */
  readonly bus: string;
  readonly archive?: string | undefined;
}): string {
  const command = (words: string) => awsCommand(words, { region: bus.split(":")[3] ?? "" });
  const replay = `events start-replay --replay-name NAME --event-source-arn ${archive} --event-start-time FROM --event-end-time TO --destination Arn=${bus}`;
  return text("function-failures", [
    "A function failed three times to handle an event. The event is in this queue for 14 days.",
    ["Read why:", command(`sqs receive-message --queue-url ${queueUrl}`)],
    archive === undefined
      ? ["Repair it, publish the events again, then purge the queue:", replayCommand(pulumi.getStack())]
      : ["Repair it, send the events of that time again, then purge the queue:", command(replay)],
  ]);
}

/** An alarm for a function that the program knows by its ARN only: another program owns its destination for failures. */
export function createDroppedAlarm(
  scope: Scope,
  functionArn: string,
  alarmTopicArn: pulumi.Input<string> | undefined,
): void {
  const name = functionArn.split(":")[6] ?? "";
  const region = functionArn.split(":")[3] ?? "";
  const alarmText = text("function-failures", [
    `The function "${name}" failed three times to handle an event, and Lambda has dropped it. The ledger still has it.`,
    ["Read why:", awsCommand(`logs tail /aws/lambda/${name} --since 1h`, { region })],
    ["Repair it, then publish the events again:", replayCommand(pulumi.getStack())],
  ]);
  // AWS Lambda, "Types of metrics for Lambda functions": counts also what went to a destination for failures.
  createAlarm(scope, alarmTopicArn)("dropped-alarm", alarmText, {
    namespace: "AWS/Lambda",
    metricName: "AsyncEventsDropped",
    dimensions: { FunctionName: name },
  });
}
