import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const muchMegabytes = 100;
const veryMuchMegabytes = 250;
const pauseSeconds = 1;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
let nextCollection = 0;

/**
 * Frees what a call has left behind: the host decodes a fleet of 10,000 into objects of 100 MB and more, for each of its
 * messages, and left to itself the process grows by all of them before it first looks for garbage. To be called before
 * the call's answer is given, which the host encodes into as many again.
 */
export function freeAround(): void {
  if (heapMegabytes() > veryMuchMegabytes) free();
  setImmediate(() => {
    if (performance.now() < nextCollection || heapMegabytes() < muchMegabytes) return;
    free();
    nextCollection = performance.now() + pauseSeconds * 1000;
  });
}

function heapMegabytes(): number {
  return process.memoryUsage().heapTotal / 1e6;
}

function free(): void {
  if (typeof collect === "function") collect();
}
