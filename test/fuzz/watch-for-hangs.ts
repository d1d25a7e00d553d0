import { Worker } from "node:worker_threads";

/** Ends the process when a case does: a loop without an end leaves no other way to tell of it. */
export interface Watch extends Disposable {
  /** To be called before each case. */
  next(): void;
}

/** Watches from a thread of its own. `what` is what it says before the end, with the number of the case. */
export function watchForHangs(what: string): Watch {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./watching.ts", import.meta.url), { workerData: { counter, what } });
  worker.unref();
  return {
    next: () => void Atomics.add(counter, 0, 1),
    [Symbol.dispose]: () => void worker.terminate(),
  };
}
