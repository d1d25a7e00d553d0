import { setImmediate } from "node:timers/promises";

/**
 * Serves many callers by few reads: those who come while a read is running wait together for the next one, so that each
 * is served by a read that started after it came. That is what makes a read proof of a write.
 */
export function waves<Key, Result>(read: (keys: ReadonlySet<Key>) => Promise<Result>): (key: Key) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: { keys: Set<Key>; result: Promise<Result> } | undefined;

  return (key) => {
    if (waiting !== undefined) {
      waiting.keys.add(key);
      return waiting.result;
    }
    const keys = new Set([key]);
    const start = async () => {
      await setImmediate(); // those who come at the same moment go along
      waiting = undefined;
      return read(keys);
    };
    const result = running.then(start);
    waiting = { keys, result };
    running = result.catch(() => undefined);
    return result;
  };
}
