import type { Metric } from "./declared-alarm.ts";

/** The metrics that CloudWatch has stored, by minute. */
export interface MetricStore {
  put(metric: Metric, minute: number, value: number): void;
  /** The statistic over the minutes from `start` to before `end`. `undefined` if they have no data. */
  read(metric: Metric, statistic: "Sum" | "Maximum", start: number, end: number): number | undefined;
}

interface Statistics {
  readonly Sum: number;
  readonly Maximum: number;
}

export function createMetricStore(): MetricStore {
  const minutesByMetric = new Map<string, (Statistics | undefined)[]>();
  const minutesOf = (metric: Metric) => {
    const key = keyOf(metric);
    const existing = minutesByMetric.get(key) ?? [];
    minutesByMetric.set(key, existing);
    return existing;
  };
  return {
    put: (metric, minute, value) => {
      const minutes = minutesOf(metric);
      minutes[minute] = combine(minutes[minute], { Sum: value, Maximum: value });
    },
    read: (metric, statistic, start, end) => {
      const minutes = minutesOf(metric);
      let total: Statistics | undefined;
      for (let minute = Math.max(0, start); minute < Math.min(end, minutes.length); minute++) {
        const statistics = minutes[minute];
        if (statistics !== undefined) total = combine(total, statistics);
      }
      return total?.[statistic];
    },
  };
}

function combine(one: Statistics | undefined, other: Statistics): Statistics {
  if (one === undefined) return other;
  return { Sum: one.Sum + other.Sum, Maximum: Math.max(one.Maximum, other.Maximum) };
}

function keyOf({ namespace, metricName, dimensions }: Metric): string {
  return JSON.stringify([namespace, metricName, Object.entries(dimensions).sort()]);
}
