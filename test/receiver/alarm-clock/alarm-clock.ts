import { z } from "zod";
import type { Log } from "../../../src/receiver/log.ts";
import { metricNamespace } from "../../../src/receiver/metrics.ts";
import type { AlarmState, DeclaredAlarm, Metric } from "./declared-alarm.ts";
import { createMetricStore, type MetricStore } from "./metric-store.ts";
import { type DataPoint, evaluationRange, nextState } from "./next-state.ts";

/** An alarm that changed its state. */
export interface AlarmChange {
  /** At the end of this minute of the clock. */
  readonly minute: number;
  readonly alarm: DeclaredAlarm;
  readonly state: AlarmState;
}

/**
 * CloudWatch's metrics and alarms on a clock of their own, which stands still until it is advanced. CloudWatch itself needs
 * some time more, a minute or two, until a metric has arrived.
 */
export interface AlarmClock {
  /** The minutes since the start. */
  readonly minute: number;
  /** All changes so far, the oldest first. */
  readonly changes: readonly AlarmChange[];
  stateOf(alarmName: string): AlarmState | undefined;
  /** Stores a value of a metric now. */
  put(metric: Metric, value: number): void;
  /** Stores the metrics in lines of a function's log (embedded metric format). Ignores their times and all other lines. */
  readLog(lines: string): void;
  /** A log that stores the metrics of its entries, for functions that run in this process. */
  logOf(functionName: string): Log;
  /** Does something in each minute, before the alarms are evaluated. */
  everyMinute(work: () => void | Promise<void>): void;
  /** Lets minutes pass. Resolves to the changes in them. */
  advance(minutes: number): Promise<readonly AlarmChange[]>;
}

/** Starts a clock. The alarms are new: their state is INSUFFICIENT_DATA. */
export function startAlarmClock(alarms: readonly DeclaredAlarm[]): AlarmClock {
  const metrics = createMetricStore();
  const changes: AlarmChange[] = [];
  const works: (() => void | Promise<void>)[] = [];
  const states = new Map<string, AlarmState>(alarms.map(({ name }) => [name, "INSUFFICIENT_DATA"]));
  let minute = 0;

  const put = (metric: Metric, value: number) => metrics.put(metric, minute, value);
  const evaluate = () => {
    for (const alarm of alarms) {
      const before = states.get(alarm.name) ?? "INSUFFICIENT_DATA";
      const state = nextState(alarm, dataPoints(alarm, metrics, minute), before);
      states.set(alarm.name, state);
      if (state !== before) changes.push({ minute, alarm, state });
    }
  };

  return {
    get minute() {
      return minute;
    },
    changes,
    stateOf: (name) => states.get(name),
    put,
    readLog: (lines) => {
      for (const { metric, value } of lines.split("\n").flatMap(embeddedMetrics)) put(metric, value);
    },
    logOf: (functionName) => (entry) => {
      for (const [metricName, value] of Object.entries(entry.metrics ?? {})) {
        put({ namespace: metricNamespace, metricName, dimensions: { FunctionName: functionName } }, value);
      }
    },
    everyMinute: (work) => void works.push(work),
    advance: async (minutes) => {
      const before = changes.length;
      for (let passed = 0; passed < minutes; passed++) {
        for (const work of works) await work();
        minute += 1;
        evaluate();
      }
      return changes.slice(before);
    },
  };
}

/** The windows of an alarm slide: each ends now, whatever the period ("Evaluating an alarm"). */
function dataPoints(alarm: DeclaredAlarm, metrics: MetricStore, minute: number): DataPoint[] {
  const length = alarm.periodSeconds / 60;
  const count = evaluationRange(alarm.evaluationPeriods);
  const points = Array.from({ length: count }, (_, index) => {
    const start = minute - (count - index) * length;
    const values = alarm.metrics.map((metric) => metrics.read(metric, metric.statistic, start, start + length));
    return values;
  });
  return alarm.expression === undefined ? points.map(([point]) => point) : evaluateExpression(alarm.expression, points);
}

/**
 * Metric math, as far as the receiver uses it: `FILL(m1, 0)`, and sums and differences. A missing value counts as 0 if another
 * metric has one ("Use metric math", basic arithmetic). FILL has nothing to fill if the metric has no data at all.
 */
function evaluateExpression(expression: string, points: readonly (readonly DataPoint[])[]): DataPoint[] {
  if (expression === "FILL(m1, 0)") {
    const isKnown = points.some(([value]) => value !== undefined);
    return points.map(([value]) => (isKnown ? (value ?? 0) : undefined));
  }
  const signs = expression.split(/ ?m\d+ ?/).map((operator) => (operator === "-" ? -1 : 1));
  return points.map((values) => {
    if (values.every((value) => value === undefined)) return undefined;
    return values.reduce<number>((total, value, index) => total + (signs[index] ?? 1) * (value ?? 0), 0);
  });
}

function embeddedMetrics(line: string): { metric: Metric; value: number }[] {
  const entry = entrySchema.safeParse(parseJson(line)).data;
  if (entry === undefined) return [];
  return entry._aws.CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(entry[name])]));
      return Metrics.map(({ Name: metricName }) => ({
        metric: { namespace, metricName, dimensions },
        value: z.number().parse(entry[metricName]),
      }));
    }),
  );
}

const entrySchema = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
