import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

/** What the alarm of a subscription watches, and what its text names. */
export interface SubscriptionAlarmSettings {
  readonly deadLetters: aws.sqs.Queue;
  readonly bus: aws.cloudwatch.EventBus;
  readonly rule: aws.cloudwatch.EventRule;
  /** Absent if the receiver has no archive. */
  readonly archive: aws.cloudwatch.EventArchive | undefined;
  /** The SNS topic to notify. Default: the alarm notifies nobody. */
  readonly alarmTopicArn: pulumi.Input<string> | undefined;
  readonly options: pulumi.CustomResourceOptions;
}

const maxTextLength = 1024; // of CloudWatch

/** Creates the alarm that rings when an event was not handled. */
export function createSubscriptionAlarm(name: string, settings: SubscriptionAlarmSettings): void {
  const { deadLetters, alarmTopicArn, options } = settings;
  new aws.cloudwatch.MetricAlarm(
    `${name}-dead-letters`,
    {
      alarmDescription: textOf(name, settings).apply((text) => text.slice(0, maxTextLength)),
      namespace: "AWS/SQS",
      metricName: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: deadLetters.name },
      statistic: "Maximum",
      comparisonOperator: "GreaterThanThreshold",
      threshold: 0,
      period: 60,
      evaluationPeriods: 1,
      treatMissingData: "notBreaching",
      ...(alarmTopicArn !== undefined && { alarmActions: [alarmTopicArn], okActions: [alarmTopicArn] }),
    },
    options,
  );
}

/** A queue that EventBridge and Lambda fill cannot be redriven (Amazon SQS, StartMessageMoveTask). */
function textOf(name: string, { deadLetters, bus, rule, archive }: SubscriptionAlarmSettings): pulumi.Output<string> {
  const again = archive
    ? pulumi.interpolate`send the events of that time again, to this subscription only: aws events start-replay --replay-name again-1 --event-source-arn ${archive.arn} --destination Arn=${bus.arn},FilterArns=${rule.arn} --event-start-time START --event-end-time END`
    : "send the events again, to all subscriptions: integration-platform events replay INGEST_ID";
  return pulumi.interpolate`Events of the subscription "${name}" were not handled: the bus could not deliver them, or the function failed three times. Read why: aws sqs receive-message --queue-url ${deadLetters.url} --message-attribute-names All. Fix the cause; then ${again}. Then empty the queue: aws sqs purge-queue --queue-url ${deadLetters.url}`;
}
