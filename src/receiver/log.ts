import { type Metrics, metricNamespace } from "./metrics.ts";

/** One entry of a log. It never contains a token or the body of a webhook. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** What CloudWatch counts of the entry. */
  readonly metrics?: Metrics | undefined;
  readonly [fact: string]: unknown;
}

export type Log = (entry: LogEntry) => void;

/**
 * Creates a log that writes each entry to standard output as one line of JSON, which CloudWatch Logs Insights can query.
 * CloudWatch extracts the metrics from the line (embedded metric format).
 *
 * @param functionName the dimension of the metrics. Without it, no metrics are written.
 */
export function jsonLog(functionName: string | undefined): Log {
  return ({ metrics, ...entry }) => {
    const time = new Date();
    const embedded = metrics && functionName ? embeddedMetrics(metrics, functionName, time) : {};
    process.stdout.write(`${JSON.stringify({ time: time.toISOString(), ...entry, ...embedded })}\n`);
  };
}

function embeddedMetrics(metrics: Metrics, FunctionName: string, time: Date) {
  const names = Object.keys(metrics).map((Name) => ({ Name, Unit: "Count" }));
  const directive = { Namespace: metricNamespace, Dimensions: [["FunctionName"]], Metrics: names };
  return { ...metrics, FunctionName, _aws: { Timestamp: time.getTime(), CloudWatchMetrics: [directive] } };
}

/** An error as a log entry shows it. */
export interface DescribedError {
  readonly name: string;
  /** Cut to 500 characters. */
  readonly message: string;
  readonly cause?: DescribedError | undefined;
}

const maxCauses = 5;

/** Describes an error and its causes. AWS's runtime writes no causes. */
export function describeError(error: unknown, causes = maxCauses): DescribedError {
  if (!(error instanceof Error)) return { name: "unknown", message: "thrown value is not an Error" };
  const { name, message, cause } = error;
  const described = { name, message: message.slice(0, 500) };
  return cause === undefined || causes === 0 ? described : { ...described, cause: describeError(cause, causes - 1) };
}

/**
 * Wraps the handler of a function: if it fails, it logs the error with its causes before the invocation fails. AWS's runtime
 * logs an error without its causes.
 */
export function logFailures<Events extends readonly unknown[], Result>(
  log: Log,
  handle: (...events: Events) => Promise<Result>,
): (...events: Events) => Promise<Result> {
  return async (...events) => {
    try {
      return await handle(...events);
    } catch (error) {
      log({ level: "error", message: "invocation failed", error: describeError(error) });
      throw error;
    }
  };
}
