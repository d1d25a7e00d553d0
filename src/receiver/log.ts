/** A line of a log: facts about what happened, never a token and never a body. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly [fact: string]: unknown;
}

export type Log = (entry: LogEntry) => void;

/** Writes each entry as one line of JSON, as CloudWatch Logs Insights reads it. */
export const jsonLog: Log = (entry) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};

/** What of an error can be told in a log. */
export function describeError(error: unknown): { readonly name: string; readonly message: string } {
  if (!(error instanceof Error)) return { name: "unknown", message: "something that is not an Error was thrown" };
  return { name: error.name, message: error.message.slice(0, 500) };
}
