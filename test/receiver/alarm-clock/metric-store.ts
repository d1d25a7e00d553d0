import type { Metric } from "./declared-alarm.ts";

/** The metrics that CloudWatch has stored, by minute. */
export interface MetricStore {
  put(metric: Metric, minute: number, value: number): void;
  /** The statistic over the minutes from `start` to before `end`. `undefined` if they have no data. */
  read(metric: Metric, statistic: "Sum" | "Maximum", start: number, end: number): number | undefined;
}

export function createMetricStore(): MetricStore {
  const valuesByMetric = new Map<string, Map<number, number[]>>();
  const valuesOf = (metric: Metric) => {
    const key = keyOf(metric);
    const existing = valuesByMetric.get(key) ?? new Map<number, number[]>();
    valuesByMetric.set(key, existing);
    return existing;
  };
  return {
    put: (metric, minute, value) => {
      const values = valuesOf(metric);
      values.set(minute, [...(values.get(minute) ?? []), value]);
    },
    read: (metric, statistic, start, end) => {
      const values = valuesOf(metric);
      const found: number[] = [];
      for (let minute = start; minute < end; minute++) found.push(...(values.get(minute) ?? []));
      if (found.length === 0) return undefined;
      return statistic === "Maximum" ? Math.max(...found) : found.reduce((sum, value) => sum + value, 0);
    },
  };
}

function keyOf({ namespace, metricName, dimensions }: Metric): string {
  return JSON.stringify([namespace, metricName, Object.entries(dimensions).sort()]);
}
