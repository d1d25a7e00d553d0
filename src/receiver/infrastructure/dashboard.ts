import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type MetricName, metricNamespace } from "../metrics.ts";
import type { FunctionHandles, Handles } from "./handles.ts";
import { queryString, savedQueries } from "./queries.ts";
import type { Scope } from "./scope.ts";

/** What the dashboard shows. */
export interface DashboardSettings {
  readonly handles: pulumi.Output<Handles>;
  readonly alarms: readonly aws.cloudwatch.MetricAlarm[];
}

/** Creates a dashboard: the alarms, the way of the webhooks through the receiver, and the latest errors. Returns its URL. */
export function createDashboard(scope: Scope, { handles, alarms }: DashboardSettings): pulumi.Output<string> {
  const alarmArns = pulumi.all(alarms.map(({ arn }) => arn));
  const dashboard = new aws.cloudwatch.Dashboard(
    scope.named("dashboard"),
    {
      dashboardName: handles.receiver,
      dashboardBody: pulumi
        .all([handles, alarmArns])
        .apply(([names, arns]) => JSON.stringify({ start: "-PT12H", widgets: widgets(names, arns) })),
    },
    scope.options,
  );
  return pulumi
    .all([dashboard.dashboardName, handles])
    .apply(
      ([name, { region }]) =>
        `https://${consoleHost(region)}/cloudwatch/home?region=${region}#dashboards/dashboard/${name}`,
    );
}

/** The console's host. China and GovCloud have their own (AWS, "Endpoints and ARNs for AWS in China"). */
function consoleHost(region: string): string {
  if (region.startsWith("cn-")) return `${region}.console.amazonaws.cn`;
  if (region.startsWith("us-gov-")) return "console.amazonaws-us-gov.com";
  return `${region}.console.aws.amazon.com`;
}

/** CloudWatch places widgets without a place from left to right (dashboard body structure). */
interface Widget {
  readonly type: "alarm" | "metric" | "log" | "text";
  readonly height: number;
  readonly width: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

function widgets(names: Handles, alarmArns: readonly string[]): Widget[] {
  const { acknowledge, consume, reconcile, queueName, deadLettersName, region } = names;
  const functions = [acknowledge, consume, reconcile].filter((part) => part !== undefined);
  const graph = (title: string, metrics: readonly Line[], stat = "Sum"): Widget => ({
    type: "metric",
    height: 6,
    width: 8,
    properties: { title, region, view: "timeSeries", period: 60, stat, metrics },
  });
  const source = functions.map(({ log }) => `SOURCE '${log}'`).join(" | ");
  return [
    { type: "text", height: 4, width: 24, properties: { markdown: instructions(names) } },
    { type: "alarm", height: 4, width: 24, properties: { title: "Alarms", alarms: alarmArns } },
    graph("1. Webhooks arrive", [
      ...own(
        acknowledge,
        "WebhooksEnqueued",
        "WebhooksNotQueued",
        "WebhooksNotStored",
        "WebhooksRejected",
        "RefusedEvents",
        "RequestsRefused",
      ),
      ...endpointLines(names),
    ]),
    graph("Webhooks with the older token", own(acknowledge, "WebhooksWithOlderToken")),
    graph("Time to answer a webhook", [["AWS/Lambda", "Duration", "FunctionName", acknowledge.name]], "p99"),
    graph("2. Messages wait", [
      ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", queueName],
      ["AWS/SQS", "ApproximateNumberOfMessagesNotVisible", "QueueName", queueName],
      ["AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", deadLettersName, { label: "dead letters" }],
    ]),
    graph(
      "Age of the oldest message",
      [["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", queueName]],
      "Maximum",
    ),
    graph("3. Events that are not as specified", [
      ...own(consume, "MessagesNotConsumed", "MalformedEvents", "UnknownEvents", "DeviatingEvents"),
      ...(reconcile === undefined
        ? []
        : own(reconcile, "ReconciledEvents", "EventsWithheld", "SweepsCompleted", "KeyRefused")),
    ]),
    ...(["Errors", "Throttles", "ConcurrentExecutions"] as const).map((metric) => {
      const lines = functions.map(({ name }): Line => ["AWS/Lambda", metric, "FunctionName", name]);
      return graph(`Functions: ${metric}`, lines, metric === "ConcurrentExecutions" ? "Maximum" : "Sum");
    }),
    {
      type: "log",
      height: 8,
      width: 24,
      properties: {
        title: savedQueries["errors-query"].title,
        region,
        view: "table",
        query: `${source} | ${queryString(savedQueries["errors-query"].query)}`,
      },
    },
  ];
}

/** A line of a graph: namespace, metric, each dimension with its value, and options. */
type Line = readonly [string, string, ...string[]] | readonly [string, string, ...string[], { readonly label: string }];

/** What the platform's endpoint answered. A REST API counts as 4XXError also what it refused because of its limits. */
function endpointLines({ restApi, acknowledge }: Handles): Line[] {
  if (restApi === undefined)
    return ["Url4xxCount", "Url5xxCount"].map((name) => ["AWS/Lambda", name, "FunctionName", acknowledge.name]);
  const dimensions = ["ApiName", restApi.apiName, "Stage", restApi.stageName] as const;
  return (["4XXError", "5XXError"] as const).map((name) => ["AWS/ApiGateway", name, ...dimensions]);
}

function own({ name }: FunctionHandles, ...metrics: readonly MetricName[]): Line[] {
  return metrics.map((metric) => [metricNamespace, metric, "FunctionName", name]);
}

function instructions({ receiver, region, queueUrl, deadLettersArn, ledger, bus }: Handles): string {
  return [
    `## ${receiver}: webhooks of the integration platform`,
    `Queue \`${queueUrl}\`, ledger \`${ledger}\`, bus \`${bus}\`.`,
    `Deliver the dead letters again: \`aws sqs start-message-move-task --source-arn ${deadLettersArn} --region ${region}\``,
    "What each alarm means, and what to do: `docs/guides/receiver-runbook.md` of the package `pulumi-integration-platform`.",
  ].join("\n\n");
}
