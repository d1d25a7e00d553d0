import { setImmediate } from "node:timers/promises";

/**
 * Serves many callers with few reads. Calls during a read share the next read. So each call gets a read that began after the
 * call, which can therefore verify a write.
 */
export function coalesced<Key, Result>(
  read: (keys: ReadonlySet<Key>) => Promise<Result>,
): (key: Key) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: { keys: Set<Key>; result: Promise<Result> } | undefined;

  return (key) => {
    if (waiting !== undefined) {
      waiting.keys.add(key);
      return waiting.result;
    }
    const keys = new Set([key]);
    const start = async () => {
      await setImmediate(); // calls in the same turn of the event loop share this read
      waiting = undefined;
      return read(keys);
    };
    const result = running.then(start);
    waiting = { keys, result };
    running = result.catch(() => undefined);
    return result;
  };
}
