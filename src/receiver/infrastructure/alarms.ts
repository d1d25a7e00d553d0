import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { MessageQueues } from "./queue.ts";
import type { Scope } from "./scope.ts";

/** What the alarms watch, and whom they notify. */
export interface AlarmSettings extends MessageQueues {
  /** The functions, by the names that their alarms contain. */
  readonly functions: Readonly<Record<string, aws.lambda.Function>>;
  /** The function behind the public URL. */
  readonly acknowledger: aws.lambda.Function;
  /** The SNS topic to notify. Default: the alarms notify nobody. */
  readonly topicArn: pulumi.Input<string> | undefined;
  /** Raise an alarm after this many hours without an event. Default: never. */
  readonly silenceHours: number | undefined;
}

const maxMessageAgeSeconds = 900;

/** Creates an alarm for each condition that loses or delays events. */
export function createAlarms(scope: Scope, settings: AlarmSettings): void {
  const { queue, deadLetters, acknowledger, functions, topicArn, silenceHours } = settings;
  const createAlarm = alarmCreator(scope, topicArn);
  createAlarm(
    "dead-letters-alarm",
    "The dead-letter queue holds messages that the consumer failed to process. Fix the cause, then redrive them.",
    { ...queueMetric(deadLetters, "ApproximateNumberOfMessagesVisible"), statistic: "Maximum" },
  );
  createAlarm(
    "age-alarm",
    `A message has been in the queue for more than ${maxMessageAgeSeconds} seconds. The consumer fails or is throttled.`,
    {
      ...queueMetric(queue, "ApproximateAgeOfOldestMessage"),
      statistic: "Maximum",
      threshold: maxMessageAgeSeconds,
    },
  );
  createAlarm(
    "url-alarm",
    "The platform got a 5xx response to a webhook. That event is lost unless reconciliation finds it.",
    functionMetric(acknowledger, "Url5xxCount"),
  );
  for (const [name, lambda] of Object.entries(functions)) {
    createAlarm(
      `${name}-errors-alarm`,
      `The function "${name}" failed. Read its log.`,
      functionMetric(lambda, "Errors"),
    );
    createAlarm(
      `${name}-throttles-alarm`,
      `AWS throttled the function "${name}". Raise the account's concurrency quota.`,
      functionMetric(lambda, "Throttles"),
    );
  }
  if (silenceHours !== undefined) {
    createAlarm(
      "silence-alarm",
      `No event arrived for ${silenceHours} hours. Check the webhook URL and the toggles in the management console.`,
      silence(queue, silenceHours),
    );
  }
}

type Condition = Partial<aws.cloudwatch.MetricAlarmArgs> & Pick<aws.cloudwatch.MetricAlarmArgs, "namespace">;

/** By default, an alarm is raised if the sum of the metric over a minute exceeds 0. Missing data is good. */
function alarmCreator(scope: Scope, topicArn: pulumi.Input<string> | undefined) {
  return (name: string, alarmDescription: string, condition: Condition) =>
    new aws.cloudwatch.MetricAlarm(
      scope.named(name),
      {
        alarmDescription,
        statistic: "Sum",
        comparisonOperator: "GreaterThanThreshold",
        threshold: 0,
        period: 60,
        evaluationPeriods: 1,
        treatMissingData: "notBreaching",
        ...(topicArn !== undefined && { alarmActions: [topicArn], okActions: [topicArn] }),
        ...condition,
      },
      scope.options,
    );
}

function queueMetric(queue: aws.sqs.Queue, metricName: string) {
  return { namespace: "AWS/SQS", metricName, dimensions: { QueueName: queue.name } };
}

function functionMetric(lambda: aws.lambda.Function, metricName: string) {
  return { namespace: "AWS/Lambda", metricName, dimensions: { FunctionName: lambda.name } };
}

/** Counts enqueued webhooks instead of requests: rejected requests of strangers are not events. */
function silence(queue: aws.sqs.Queue, hours: number): Condition {
  return {
    ...queueMetric(queue, "NumberOfMessagesSent"),
    comparisonOperator: "LessThanThreshold",
    threshold: 1,
    period: 3600,
    evaluationPeriods: hours,
    treatMissingData: "breaching", // SQS stops reporting metrics for a queue that has been empty for hours
  };
}
