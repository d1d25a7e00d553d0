import {
  CloudWatchClient,
  ComparisonOperator,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  PutMetricAlarmCommand,
  Statistic,
} from "@aws-sdk/client-cloudwatch";
import { z } from "zod";
import { kind } from "../kind.ts";

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

export const metricAlarm = kind({
  inputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (given) => {
    await put(given);
    return { id: given.name };
  },
  look: async (id) => {
    const { MetricAlarms: found = [] } = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [id] }));
    if (found.length === 0) throw Object.assign(new Error(`no alarm ${id}`), { name: "ResourceNotFound" });
  },
  update: (_, given) => put(given),
  delete: (id) => cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [id] })),
});

async function put(given: z.infer<typeof inputs>): Promise<void> {
  await cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName: given.name,
      AlarmDescription: given.alarmDescription,
      Namespace: given.namespace,
      MetricName: given.metricName,
      Dimensions: Object.entries(given.dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistic: given.statistic,
      ComparisonOperator: given.comparisonOperator,
      Threshold: given.threshold,
      Period: given.period,
      EvaluationPeriods: given.evaluationPeriods,
      TreatMissingData: given.treatMissingData,
      AlarmActions: given.alarmActions,
      OKActions: given.okActions,
    }),
  );
}
