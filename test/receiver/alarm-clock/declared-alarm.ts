import { z } from "zod";

/** An alarm as a program declares it. */
export interface DeclaredAlarm {
  readonly name: string;
  readonly description: string;
  /** The metrics that it watches, by the names that `expression` uses. */
  readonly metrics: readonly WatchedMetric[];
  /** A sum such as `m1 + m2`. Absent if the alarm watches one metric. */
  readonly expression?: string | undefined;
  readonly isBreaching: (value: number) => boolean;
  readonly periodSeconds: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly treatMissingData: "missing" | "ignore" | "breaching" | "notBreaching";
  /** Whom the alarm notifies, by the state that it changes to. */
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
}

export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

/** A metric in CloudWatch. */
export interface Metric {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface WatchedMetric extends Metric {
  readonly id: string;
  readonly statistic: "Sum" | "Maximum";
}

/** Reads an alarm from the inputs of a `MetricAlarm`, as a program registers them or a stack's state shows them. */
export function declaredAlarm(name: string, inputs: unknown): DeclaredAlarm {
  const { metricQueries, ...alarm } = inputsSchema.parse(inputs);
  const queried = metricQueries.flatMap(({ id, metric }) =>
    metric ? [{ ...metric, id, statistic: metric.stat }] : [],
  );
  const single = metricSchema.safeParse(alarm).data;
  const compare = comparisons[alarm.comparisonOperator];
  return {
    name,
    description: alarm.alarmDescription,
    metrics: single ? [{ ...single, id: "m1" }] : queried,
    expression: metricQueries.find(({ expression }) => expression !== undefined)?.expression,
    isBreaching: (value) => compare(value, alarm.threshold),
    periodSeconds: single?.period ?? queried[0]?.period ?? 0,
    evaluationPeriods: alarm.evaluationPeriods,
    datapointsToAlarm: alarm.datapointsToAlarm ?? alarm.evaluationPeriods,
    treatMissingData: alarm.treatMissingData,
    actions: { ALARM: alarm.alarmActions, OK: alarm.okActions, INSUFFICIENT_DATA: alarm.insufficientDataActions },
  };
}

const statistic = z.enum(["Sum", "Maximum"]);

const metricBase = z.object({
  namespace: z.string(),
  metricName: z.string(),
  dimensions: z.record(z.string(), z.string()),
  period: z.int(),
});

const metricSchema = metricBase.extend({ statistic });

const comparisons = {
  GreaterThanThreshold: (value: number, threshold: number) => value > threshold,
  GreaterThanOrEqualToThreshold: (value: number, threshold: number) => value >= threshold,
  LessThanThreshold: (value: number, threshold: number) => value < threshold,
};

const arns = z.array(z.string()).default([]);

const inputsSchema = z.looseObject({
  alarmDescription: z.string(),
  comparisonOperator: z.enum(["GreaterThanThreshold", "GreaterThanOrEqualToThreshold", "LessThanThreshold"]),
  threshold: z.number(),
  evaluationPeriods: z.int(),
  datapointsToAlarm: z.int().optional(),
  treatMissingData: z.enum(["missing", "ignore", "breaching", "notBreaching"]),
  alarmActions: arns,
  okActions: arns,
  insufficientDataActions: arns,
  metricQueries: z
    .array(
      z.object({
        id: z.string(),
        expression: z.string().optional(),
        metric: metricBase.extend({ stat: statistic }).optional(),
      }),
    )
    .default([]),
});
