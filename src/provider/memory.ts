import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const muchMegabytes = 100;
const veryMuchMegabytes = 250;
/** How much more than after the last time has to be in use: else it costs more than it frees. */
const growth = 1.3;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");
// with other flags than the program's, each would throw the JavaScript away that the other keeps compiled
setFlagsFromString("--no-expose-gc");
let usedAfterLast = 0;

/**
 * Frees what a call has left behind: the host decodes a fleet of 10,000 into objects of 100 MB and more, for each of its
 * messages, and left to itself the process grows by all of them before it first looks for garbage. To be called before
 * the call's answer is given, which the host encodes into as many again.
 */
export function freeAround(): void {
  freeIfLargerThan(veryMuchMegabytes);
  setImmediate(() => freeIfLargerThan(muchMegabytes));
}

function freeIfLargerThan(megabytes: number): void {
  const { heapTotal, heapUsed } = process.memoryUsage();
  if (heapTotal < megabytes * 1e6 || heapUsed < growth * usedAfterLast) return;
  if (typeof collect === "function") collect();
  usedAfterLast = process.memoryUsage().heapUsed;
}
