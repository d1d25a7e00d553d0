import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const muchMegabytes = 100;
const veryMuchMegabytes = 250;
/** The minimum growth of the used heap since the last collection. Below it, a collection costs more than it frees. */
const growth = 1.3;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
// restore the flag, because processes with different flags discard each other's compile cache
setFlagsFromString("--no-expose-gc");
let usedAfterLast = 0;

/**
 * Collects the garbage of a call. For each message about a fleet of 10,000 tenants, the host decodes objects of 100 MB or
 * more, and without this the process grows by all of them before Node's first collection. Call it before returning the
 * call's response, which the host encodes into as many objects again.
 */
export function collectGarbage(): void {
  freeIfLargerThan(veryMuchMegabytes);
  setImmediate(() => freeIfLargerThan(muchMegabytes));
}

function freeIfLargerThan(megabytes: number): void {
  // process.memoryUsage() also asks the system, which took a tenth of the provider's time with thousands of resources
  const { used_heap_size } = getHeapStatistics();
  if (used_heap_size < Math.max(megabytes * 1e6, growth * usedAfterLast)) return;
  if (typeof collect === "function") collect();
  usedAfterLast = getHeapStatistics().used_heap_size;
}
