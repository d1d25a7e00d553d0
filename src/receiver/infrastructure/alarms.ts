import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { MessageQueue } from "./queue.ts";
import type { Scope } from "./scope.ts";

/** What the alarms watch, and whom they tell. */
export interface AlarmSettings extends MessageQueue {
  /** The functions, by the names their alarms bear. */
  readonly functions: Readonly<Record<string, aws.lambda.Function>>;
  /** The one that has the URL. */
  readonly acknowledger: aws.lambda.Function;
  /** The SNS topic that is told. Default: nobody, the alarms only show. */
  readonly topicArn: pulumi.Input<string> | undefined;
  /** Alarm after so many hours without an event. Default: silence is no alarm. */
  readonly silenceHours: number | undefined;
}

const oldestMessageSeconds = 900;

/** Alarms for all that could lose an event, or hold it up. */
export function receiverAlarms(scope: Scope, settings: AlarmSettings): void {
  const alarm = alarmsOf(scope, settings.topicArn);
  const { queue, deadLetters, acknowledger, functions, silenceHours } = settings;
  alarm("dead-letters-alarm", "Events that could not be consumed are in the dead-letter queue", {
    ...ofQueue(deadLetters, "ApproximateNumberOfMessagesVisible"),
    statistic: "Maximum",
  });
  alarm("age-alarm", `An event has been waiting for more than ${oldestMessageSeconds} seconds`, {
    ...ofQueue(queue, "ApproximateAgeOfOldestMessage"),
    statistic: "Maximum",
    threshold: oldestMessageSeconds,
  });
  alarm(
    "url-alarm",
    "The platform was answered with an error: the event is lost",
    ofFunction(acknowledger, "Url5xxCount"),
  );
  for (const [name, lambda] of Object.entries(functions)) {
    alarm(`${name}-errors-alarm`, `The function "${name}" failed`, ofFunction(lambda, "Errors"));
    alarm(`${name}-throttles-alarm`, `The function "${name}" was throttled`, ofFunction(lambda, "Throttles"));
  }
  if (silenceHours !== undefined) {
    alarm("silence-alarm", `No event for ${silenceHours} hours`, silent(queue, silenceHours));
  }
}

type Watch = Partial<aws.cloudwatch.MetricAlarmArgs> & Pick<aws.cloudwatch.MetricAlarmArgs, "namespace">;

/** Rings when the metric is above the threshold in a minute, 0 unless `watch` says otherwise; no data is good news. */
function alarmsOf(scope: Scope, topicArn: pulumi.Input<string> | undefined) {
  return (name: string, alarmDescription: string, watch: Watch) =>
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
        ...watch,
      },
      scope.options,
    );
}

function ofQueue(queue: aws.sqs.Queue, metricName: string) {
  return { namespace: "AWS/SQS", metricName, dimensions: { QueueName: queue.name } };
}

function ofFunction(lambda: aws.lambda.Function, metricName: string) {
  return { namespace: "AWS/Lambda", metricName, dimensions: { FunctionName: lambda.name } };
}

/** Counts what was kept, not what was asked for: strangers at the door are no events. */
function silent(queue: aws.sqs.Queue, hours: number): Watch {
  return {
    ...ofQueue(queue, "NumberOfMessagesSent"),
    comparisonOperator: "LessThanThreshold",
    threshold: 1,
    period: 3600,
    evaluationPeriods: hours,
    treatMissingData: "breaching", // an empty queue reports nothing after a while
  };
}
