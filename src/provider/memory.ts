import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much memory must be in use for a collection. */
const muchMegabytes = 60;
/** The same right before a response, which waits for the collection. */
const veryMuchMegabytes = 250;
/** The minimum growth of the used heap since the last collection. Below it, a collection costs more than it frees. */
const growth = 1.5;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
// restore the flag, because processes with different flags discard each other's compile cache
setFlagsFromString("--no-expose-gc");
let usedAfterLast = 0;
/** How often a call that lasts looks for garbage. */
const everyMilliseconds = 200;

/**
 * Runs the work of a call and collects its garbage, during long work too. For each message about a fleet of 10,000 tenants, the
 * dynamic host decodes objects of 100 MB or more, and a creation of as many reads and sends far more than it keeps. Without this
 * the process grows by all of it before Node's own collections. The last one comes before the call's response, which the host
 * encodes into as many objects again.
 */
export async function collectingGarbage<T>(work: () => Promise<T>): Promise<T> {
  const looking = setInterval(() => freeIfLargerThan(muchMegabytes), everyMilliseconds).unref();
  try {
    return await work();
  } finally {
    clearInterval(looking);
    freeIfLargerThan(veryMuchMegabytes);
    setImmediate(() => freeIfLargerThan(muchMegabytes));
  }
}

function freeIfLargerThan(megabytes: number): void {
  // process.memoryUsage() also asks the system, which took a tenth of the provider's time with thousands of resources
  const { used_heap_size } = getHeapStatistics();
  if (used_heap_size < Math.max(megabytes * 1e6, growth * usedAfterLast)) return;
  if (typeof collect === "function") collect();
  usedAfterLast = getHeapStatistics().used_heap_size;
}
