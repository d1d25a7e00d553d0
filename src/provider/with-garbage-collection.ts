import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The used heap from which garbage is collected during and after a call. */
const thresholdMegabytes = 40;
/** The used heap from which garbage is collected right before a response. It is larger, because the response has to wait. */
const thresholdBeforeResponseMegabytes = 250;
/** How much the used heap must have grown since the last collection. Below this factor, a collection costs more than it saves. */
const minimumGrowth = 1.5;
/** How often the used heap is checked during a call. */
const checkEveryMilliseconds = 200;

// Node.js has no API for a collection. A new context has the function `gc` while this flag of V8 is set.
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
// Restore the flag, because processes with different flags discard each other's compile cache.
setFlagsFromString("--no-expose-gc");
let usedAfterLast = 0;

/**
 * Runs the work of one call of the engine, and collects garbage while it runs, right before its response, and afterwards.
 * Otherwise the process grows by all garbage of the call before Node.js collects it by itself. For a fleet of 10,000 tenants
 * this is a lot:
 *
 * - The dynamic host decodes each message into objects of 100 MB or more.
 * - A create reads and sends far more than it keeps.
 * - The host encodes the response into as many objects again, so garbage is collected before that.
 */
export async function withGarbageCollection<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => collectIfAbove(thresholdMegabytes), checkEveryMilliseconds).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    collectIfAbove(thresholdBeforeResponseMegabytes);
    setImmediate(() => collectIfAbove(thresholdMegabytes));
  }
}

/** Collects garbage if the used heap is at least this large and has grown enough since the last collection. */
function collectIfAbove(megabytes: number): void {
  // process.memoryUsage() also asks the system, which took a tenth of the provider's time with thousands of resources
  const { used_heap_size } = getHeapStatistics();
  if (used_heap_size < Math.max(megabytes * 1e6, minimumGrowth * usedAfterLast)) return;
  if (typeof collect === "function") collect();
  usedAfterLast = getHeapStatistics().used_heap_size;
}
