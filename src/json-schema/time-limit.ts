import { createContext, Script } from "node:vm";

/**
 * Runs work and ends it when it goes on for too long, a regular expression included: only the machine that runs the code
 * can do that. Work that was ended while this process had to wait for a busy machine begins anew, so it must bear that.
 *
 * @throws what the work throws; an Error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT` when it was ended.
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const usedBefore = process.cpuUsage();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return run(milliseconds, work);
    } catch (error) {
      const { user, system } = process.cpuUsage(usedBefore);
      const hadItsTime = (user + system) / 1000 >= milliseconds / 2;
      if (!isTimeOut(error) || hadItsTime || attempt === attemptsMaximum) throw error;
    }
  }
}

/** Whether an error is that of {@link withinTime}. */
export function isTimeOut(error: unknown): boolean {
  // The error comes from the other context: it is no instance of this one's Error.
  return Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

const attemptsMaximum = 5;

const room: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(room);
const script = new Script("work()");

function run<T>(milliseconds: number, work: () => T): T {
  const results: T[] = [];
  room.work = () => results.push(work());
  try {
    script.runInContext(context, { timeout: milliseconds });
  } finally {
    room.work = undefined;
  }
  const [result] = results;
  if (result === undefined) throw new Error("the work has no result");
  return result;
}
