import type { Call } from "./call.ts";
import type { LogDownload, OpenLog } from "./log-download.ts";
import { path } from "./path.ts";
import { type TriggerStatus, triggerStatusSchema } from "./triggers.ts";

/** `/v2/runs` (specification, "Runs"). */
export interface Runs {
  /** Rejects with `NotFoundError` as long as there is no run yet: triggers are debounced. */
  getTriggerStatus(triggerId: string): Promise<TriggerStatus>;
  /** The whole log as text, up to `maxResponseBytes`. */
  getLog(runId: number): Promise<string>;
  /** The log piece by piece, of any size. Read it to its end or cancel it; until then it holds a connection. */
  streamLog(runId: number): Promise<ReadableStream<Uint8Array>>;
}

export function createRuns(call: Call, download: LogDownload, open: LogOpeners): Runs {
  return {
    getTriggerStatus: async (triggerId) =>
      call({ method: "GET", path: path`/v2/runs/triggers/${triggerId}/status` }, triggerStatusSchema),
    getLog: async (runId) => download(path`/v2/runs/${runId}/log`, open.text),
    streamLog: async (runId) => download(path`/v2/runs/${runId}/log`, open.stream),
  };
}

interface LogOpeners {
  text: OpenLog<string>;
  stream: OpenLog<ReadableStream<Uint8Array>>;
}
