import {
  CloudWatchClient,
  ComparisonOperator,
  DeleteAlarmsCommand,
  DeleteDashboardsCommand,
  DescribeAlarmsCommand,
  GetDashboardCommand,
  PutDashboardCommand,
  PutMetricAlarmCommand,
  Statistic,
} from "@aws-sdk/client-cloudwatch";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";

const cloudwatch = new CloudWatchClient();

const dimensions = z.record(z.string(), z.string());
const arns = z.array(z.string()).optional();

/** Like AWS, it takes one metric, or queries, but not both. */
const inputs = z
  .object({
    name: z.string(),
    alarmDescription: z.string().max(1024),
    namespace: z.string().optional(),
    metricName: z.string().optional(),
    dimensions: dimensions.optional(),
    statistic: z.enum(Statistic).optional(),
    period: z.int().optional(),
    metricQueries: z
      .array(
        z.object({
          id: z.string(),
          expression: z.string().optional(),
          label: z.string().optional(),
          returnData: z.boolean().default(false),
          metric: z
            .object({
              namespace: z.string(),
              metricName: z.string(),
              dimensions,
              period: z.int(),
              stat: z.enum(Statistic),
            })
            .optional(),
        }),
      )
      .optional(),
    comparisonOperator: z.enum(ComparisonOperator),
    threshold: z.number(),
    evaluationPeriods: z.int(),
    datapointsToAlarm: z.int().optional(),
    treatMissingData: z.string(),
    alarmActions: arns,
    okActions: arns,
    insufficientDataActions: arns,
  })
  .refine(
    ({ metricQueries, namespace, metricName, statistic, period, ...others }) =>
      metricQueries === undefined
        ? ![namespace, metricName, statistic, period].includes(undefined)
        : [namespace, metricName, statistic, period, others.dimensions].every((value) => value === undefined),
    "an alarm has either metricQueries, or namespace, metricName, statistic and period",
  );

export const metricAlarm = resourceType({
  inputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (args) => {
    await put(args);
    return { id: args.name, outputs: { arn: (await find(args.name)).AlarmArn } };
  },
  read: find,
  update: (_, args) => put(args),
  delete: (id) => cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [id] })),
});

async function find(name: string) {
  const { MetricAlarms: found = [] } = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [name] }));
  const [alarm] = found;
  if (alarm === undefined) throw notFound(`alarm ${name}`);
  return alarm;
}

async function put(args: z.infer<typeof inputs>): Promise<void> {
  await cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName: args.name,
      AlarmDescription: args.alarmDescription,
      Namespace: args.namespace,
      MetricName: args.metricName,
      Dimensions: args.dimensions && dimensionsOf(args.dimensions),
      Statistic: args.statistic,
      Period: args.period,
      Metrics: args.metricQueries?.map(({ id, expression, label, returnData, metric }) => ({
        Id: id,
        Expression: expression,
        Label: label,
        ReturnData: returnData,
        MetricStat: metric && {
          Metric: {
            Namespace: metric.namespace,
            MetricName: metric.metricName,
            Dimensions: dimensionsOf(metric.dimensions),
          },
          Period: metric.period,
          Stat: metric.stat,
        },
      })),
      ComparisonOperator: args.comparisonOperator,
      Threshold: args.threshold,
      EvaluationPeriods: args.evaluationPeriods,
      DatapointsToAlarm: args.datapointsToAlarm,
      TreatMissingData: args.treatMissingData,
      AlarmActions: args.alarmActions,
      OKActions: args.okActions,
      InsufficientDataActions: args.insufficientDataActions,
    }),
  );
}

function dimensionsOf(byName: Readonly<Record<string, string>>) {
  return Object.entries(byName).map(([Name, Value]) => ({ Name, Value }));
}

const dashboardInputs = z.object({ dashboardName: z.string().regex(/^[\w-]{1,255}$/), dashboardBody: z.string() });

export const dashboard = resourceType({
  inputs: dashboardInputs,
  replacedBy: ["dashboardName"],
  create: async (args) => {
    await putDashboard(args);
    return { id: args.dashboardName };
  },
  read: (id) => cloudwatch.send(new GetDashboardCommand({ DashboardName: id })),
  update: (_, args) => putDashboard(args),
  delete: (id) => cloudwatch.send(new DeleteDashboardsCommand({ DashboardNames: [id] })),
});

async function putDashboard(args: z.infer<typeof dashboardInputs>): Promise<void> {
  const command = new PutDashboardCommand({ DashboardName: args.dashboardName, DashboardBody: args.dashboardBody });
  await cloudwatch.send(command);
}
