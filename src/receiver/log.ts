/** One entry of a log. It never contains a token or the body of a webhook. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly [fact: string]: unknown;
}

export type Log = (entry: LogEntry) => void;

/** Writes each entry to standard output as one line of JSON, which CloudWatch Logs Insights can query. */
export const jsonLog: Log = (entry) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};

/** The name and the message of an error, cut to a length that fits into a log entry. */
export function describeError(error: unknown): { readonly name: string; readonly message: string } {
  if (!(error instanceof Error)) return { name: "unknown", message: "thrown value is not an Error" };
  return { name: error.name, message: error.message.slice(0, 500) };
}
