import { createContext, Script } from "node:vm";

/**
 * Runs a synchronous function and stops it when it takes too long, even inside a regular expression; only `node:vm` can do
 * that. Where this process got little CPU time, because the machine is busy, the function is started again: it must bear
 * that.
 *
 * @throws what the function throws, or an error for which {@link isTimeout} is true.
 */
export function runWithTimeLimit<T>(limitMilliseconds: number, work: () => T): T {
  const usedBefore = process.cpuUsage();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return runOnce(limitMilliseconds, work);
    } catch (error) {
      const { user, system } = process.cpuUsage(usedBefore);
      const hadItsTime = (user + system) / 1000 >= limitMilliseconds / 2;
      if (!isTimeout(error) || hadItsTime || attempt === maxAttempts) throw error;
    }
  }
}

/** Whether {@link runWithTimeLimit} threw this error because the function took too long. */
export function isTimeout(error: unknown): boolean {
  // The error is made in the other context, so that it is no instance of this context's Error.
  return Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

const maxAttempts = 5;

const sandbox: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(sandbox);
const script = new Script("work()");

function runOnce<T>(limitMilliseconds: number, work: () => T): T {
  const results: T[] = [];
  sandbox.work = () => results.push(work());
  try {
    script.runInContext(context, { timeout: limitMilliseconds });
  } finally {
    sandbox.work = undefined;
  }
  const [result] = results;
  if (result === undefined) throw new Error("the function returned no result");
  return result;
}
