import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { CheckedArgs } from "../checked-args.ts";
import { type MetricName, metricNamespace } from "../metrics.ts";
import { type AlarmName, alarmTexts, errorsText, silenceText, throttlesText } from "./alarm-texts.ts";
import type { ReceiverFunction } from "./function.ts";
import type { Handles, OperatedParts } from "./handles.ts";
import type { Scope } from "./scope.ts";

/** What the alarms watch, and whom they notify. */
export interface AlarmSettings extends OperatedParts, Pick<CheckedArgs, "silenceHours"> {
  readonly handles: pulumi.Output<Handles>;
  /** The SNS topic to notify. Default: the alarms notify nobody. */
  readonly topicArn: pulumi.Input<string> | undefined;
  /** How often tenants are reconciled, in minutes. Undefined if they are not. */
  readonly sweepMinutes: number | undefined;
}

const maxMessageAgeSeconds = 900;
const hourSeconds = 3600;

/** Creates an alarm for each condition that loses, delays or changes events. */
export function createAlarms(scope: Scope, settings: AlarmSettings): aws.cloudwatch.MetricAlarm[] {
  const { queue, deadLetters, functions, handles, topicArn, silenceHours, sweepMinutes } = settings;
  const alarms: aws.cloudwatch.MetricAlarm[] = [];
  const create = createAlarm(scope, topicArn);
  const add = (name: string, text: (handles: Handles) => string, condition: Condition) =>
    alarms.push(create(`${name}-alarm`, handles.apply(text), condition));
  const addNamed = (name: AlarmName, condition: Condition) => add(name, alarmTexts[name], condition);

  addNamed("not-stored", endpointMetric(settings, "5xx"));
  addNamed("not-queued", ownMetric(functions.acknowledge, "WebhooksNotQueued"));
  addNamed("rejected", ownMetric(functions.acknowledge, "WebhooksRejected"));
  // A day, because some platforms send few events. One period of a day, and not some of an hour: CloudWatch counts hours back
  // from now, so requests some minutes apart would start and end the alarm each hour.
  addNamed("refused-events", {
    ...ownMetric(functions.acknowledge, "RefusedEvents"),
    ...atLeast(3),
    period: 24 * hourSeconds,
  });
  addNamed("refused-by-aws", refusedByAws(settings));
  addNamed("not-consumed", ownMetric(functions.consume, "MessagesNotConsumed"));
  addNamed("dead-letters", holdsMessages(deadLetters));
  addNamed("age", {
    ...queueMetric(queue, "ApproximateAgeOfOldestMessage"),
    statistic: "Maximum",
    threshold: maxMessageAgeSeconds,
  });
  addNamed("unreadable", sumOf(functions.consume, ["MalformedEvents", "UnknownEvents"]));
  if (functions.reconcile && sweepMinutes !== undefined) {
    addNamed("reconciled", ownMetric(functions.reconcile, "ReconciledEvents"));
    addNamed("no-sweep", noSweep(functions.reconcile, sweepMinutes));
    addNamed("withheld", ownMetric(functions.reconcile, "EventsWithheld"));
    addNamed("key-refused", ownMetric(functions.reconcile, "KeyRefused"));
  }
  for (const part of ["acknowledge", "consume", "reconcile"] as const) {
    const receiverFunction = functions[part];
    if (receiverFunction === undefined) continue;
    add(`${part}-errors`, (names) => errorsText(part, names), functionMetric(receiverFunction, "Errors"));
    add(`${part}-throttles`, (names) => throttlesText(part, names), functionMetric(receiverFunction, "Throttles"));
  }
  if (silenceHours !== undefined) {
    const text = (names: Handles) => silenceText(silenceHours, names);
    add("silence", text, silence(queue, silenceHours, topicArn));
  }
  return alarms;
}

type Condition = Partial<aws.cloudwatch.MetricAlarmArgs>;

/**
 * Returns a function that creates an alarm. By default it is raised if the sum of the metric over a minute exceeds 0, and
 * missing data is good.
 *
 * @param topicArn the SNS topic to notify when the alarm starts and ends. Default: it notifies nobody.
 */
export function createAlarm(scope: Scope, topicArn: pulumi.Input<string> | undefined) {
  return (name: string, alarmDescription: pulumi.Input<string>, condition: Condition) =>
    new aws.cloudwatch.MetricAlarm(
      scope.named(name),
      {
        alarmDescription,
        // With metricQueries, AWS refuses a statistic and a period beside them.
        ...(condition.metricQueries === undefined && { statistic: "Sum", period: 60 }),
        comparisonOperator: "GreaterThanThreshold",
        threshold: 0,
        evaluationPeriods: 1,
        treatMissingData: "notBreaching",
        ...(topicArn !== undefined && { alarmActions: [topicArn], okActions: [topicArn] }),
        ...condition,
      },
      scope.options,
    );
}

/** A count of the endpoint that the platform calls: a REST API also counts the requests that it does not pass on. */
function endpointMetric({ restApi, functions }: AlarmSettings, kind: "4xx" | "5xx") {
  if (restApi === undefined) return functionMetric(functions.acknowledge, `Url${kind}Count`);
  return {
    namespace: "AWS/ApiGateway",
    metricName: `${kind.toUpperCase()}Error`,
    dimensions: { ApiName: restApi.apiName, Stage: restApi.stageName },
  };
}

/** The condition of a queue that should be empty. */
export function holdsMessages(queue: aws.sqs.Queue): Condition {
  return { ...queueMetric(queue, "ApproximateNumberOfMessagesVisible"), statistic: "Maximum" };
}

/** A metric of SQS. */
function queueMetric(queue: aws.sqs.Queue, metricName: string) {
  return { namespace: "AWS/SQS", metricName, dimensions: { QueueName: queue.name } };
}

function functionMetric({ lambda }: ReceiverFunction, metricName: string) {
  return { namespace: "AWS/Lambda", metricName, dimensions: { FunctionName: lambda.name } };
}

function ownMetric({ lambda }: ReceiverFunction, metricName: MetricName) {
  return { namespace: metricNamespace, metricName, dimensions: { FunctionName: lambda.name } };
}

function atLeast(threshold: number): Condition {
  return { comparisonOperator: "GreaterThanOrEqualToThreshold", threshold };
}

/** The metrics are `m1`, `m2` and so on in the expression. */
function math(
  label: string,
  expression: string,
  metrics: readonly ReturnType<typeof endpointMetric>[],
  period = 60,
): Condition {
  const queries = metrics.map((metric, index) => ({ id: `m${index + 1}`, metric: { ...metric, period, stat: "Sum" } }));
  return { metricQueries: [{ id: "result", expression, label, returnData: true }, ...queries] };
}

/** Metric math treats the missing value of one metric as 0 (Amazon CloudWatch, "Use metric math"). */
function sumOf(receiverFunction: ReceiverFunction, names: readonly MetricName[]): Condition {
  const metrics = names.map((name) => ownMetric(receiverFunction, name));
  return math(names.join(" + "), metrics.map((_, index) => `m${index + 1}`).join(" + "), metrics);
}

/**
 * What AWS refused before the function ran: it throttled the requests, or somebody removed the URL's permissions. The function's
 * own responses do not count, as every public address gets requests of strangers. A web ACL blocks strangers too.
 */
function refusedByAws(settings: AlarmSettings): Condition {
  const metrics = [endpointMetric(settings, "4xx"), ownMetric(settings.functions.acknowledge, "RequestsRefused")];
  return {
    ...math("Refused by AWS", "m1 - m2", metrics, hourSeconds),
    ...atLeast(settings.restApi?.isFiltered ? 100 : 3),
  };
}

/** A sweep may take as long as its function may run. */
const maxSweepMinutes = 15;

/**
 * No sweep has ended in two intervals. FILL turns an interval without one into 0: CloudWatch looks at older data points as long as
 * it has any, and would ring some intervals late ("How alarm state is evaluated when data is missing"). Without any data, missing
 * is breaching.
 */
function noSweep(reconcile: ReceiverFunction, sweepMinutes: number): Condition {
  const period = Math.max(sweepMinutes, maxSweepMinutes) * 60;
  return {
    ...math("SweepsCompleted", "FILL(m1, 0)", [ownMetric(reconcile, "SweepsCompleted")], period),
    comparisonOperator: "LessThanThreshold",
    threshold: 1,
    evaluationPeriods: 2,
    treatMissingData: "breaching",
  };
}

/**
 * Counts enqueued webhooks instead of requests: rejected requests of strangers are not events. The event source mapping
 * polls the queue, so that SQS reports 0 while no event arrives. Missing data is not breaching: a new queue has none from
 * the time before it existed, and must not fire at once. CloudWatch then raises the alarm when the oldest of the breaching
 * data points is old enough ("Avoiding premature transitions to alarm state").
 */
function silence(queue: aws.sqs.Queue, hours: number, topicArn: pulumi.Input<string> | undefined): Condition {
  return {
    ...queueMetric(queue, "NumberOfMessagesSent"),
    comparisonOperator: "LessThanThreshold",
    threshold: 1,
    period: hourSeconds,
    evaluationPeriods: hours,
    datapointsToAlarm: hours,
    treatMissingData: "missing",
    // No data at all is silence too, for example of a mapping that is disabled.
    ...(topicArn !== undefined && { insufficientDataActions: [topicArn] }),
  };
}
