import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const muchMegabytes = 100;
const pauseSeconds = 1;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
let nextCollection = 0;

/**
 * Frees what a call has left behind, once it is over. The host decodes a fleet of 10,000 into objects of 100 MB and more,
 * for each of its messages; left to itself, the process grows by all of them before it first looks for garbage.
 */
export function freeSoon(): void {
  setImmediate(() => {
    if (performance.now() < nextCollection || process.memoryUsage().heapTotal < muchMegabytes * 1e6) return;
    if (typeof collect === "function") collect();
    nextCollection = performance.now() + pauseSeconds * 1000;
  });
}
