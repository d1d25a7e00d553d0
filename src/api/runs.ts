import * as z from "zod";
import type { Call } from "./call.ts";
import type { LogDownload } from "./log-download.ts";
import type { OpenLog } from "./log-stream.ts";
import { path } from "./request.ts";
import { wireObject } from "./wire-schema.ts";

/** `/v2/runs` (specification, "Runs"). */
export interface Runs {
  /** The status of the run that a sync request triggered. Rejects with `NotFoundError` until the run exists: triggers are debounced. */
  getTriggerStatus(triggerId: string): Promise<TriggerStatus>;
  /** The whole log as a string, of at most `maxResponseBytes`. */
  getLog(runId: number): Promise<string>;
  /** The log as a stream, of any size. Read it to its end or cancel it; until then it occupies a connection. */
  streamLog(runId: number): Promise<ReadableStream<Uint8Array>>;
}

/** `init` prepares the integration, for example its dynamic config options; `normal` is a usual sync. */
export type SyncMode = "init" | "normal";

/** A requested sync (specification, "Trigger"). */
export type Trigger = z.infer<typeof triggerSchema>;

export const triggerSchema = wireObject({ trigger_id: z.string() });

/** The status of a triggered run (specification, "TriggerStatus"). Its values are not documented. */
export type TriggerStatus = z.infer<typeof triggerStatusSchema>;

export const triggerStatusSchema = wireObject({ status: z.string() });

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
