import {
  CloudWatchClient,
  ComparisonOperator,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  PutMetricAlarmCommand,
  Statistic,
} from "@aws-sdk/client-cloudwatch";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";

const cloudwatch = new CloudWatchClient();

const inputs = z.object({
  name: z.string(),
  alarmDescription: z.string(),
  namespace: z.string(),
  metricName: z.string(),
  dimensions: z.record(z.string(), z.string()),
  statistic: z.enum(Statistic),
  comparisonOperator: z.enum(ComparisonOperator),
  threshold: z.number(),
  period: z.int(),
  evaluationPeriods: z.int(),
  treatMissingData: z.string(),
  alarmActions: z.array(z.string()).optional(),
  okActions: z.array(z.string()).optional(),
});

export const metricAlarm = resourceType({
  inputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (args) => {
    await put(args);
    return { id: args.name };
  },
  read: async (id) => {
    const { MetricAlarms: found = [] } = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [id] }));
    if (found.length === 0) throw notFound(`alarm ${id}`);
  },
  update: (_, args) => put(args),
  delete: (id) => cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [id] })),
});

async function put(args: z.infer<typeof inputs>): Promise<void> {
  await cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName: args.name,
      AlarmDescription: args.alarmDescription,
      Namespace: args.namespace,
      MetricName: args.metricName,
      Dimensions: Object.entries(args.dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistic: args.statistic,
      ComparisonOperator: args.comparisonOperator,
      Threshold: args.threshold,
      Period: args.period,
      EvaluationPeriods: args.evaluationPeriods,
      TreatMissingData: args.treatMissingData,
      AlarmActions: args.alarmActions,
      OKActions: args.okActions,
    }),
  );
}
