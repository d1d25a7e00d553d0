import { describeError, type Log } from "./log.ts";

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
