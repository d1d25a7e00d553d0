import * as z from "zod";
import type { Call } from "./call.ts";
import { ValidationError } from "./errors.ts";
import type { LogDownload } from "./log-download.ts";
import type { OpenLog } from "./log-stream.ts";
import { operationMissing } from "./operation-missing.ts";
import { createPages, type ListQuery, maxPageSize, pageQuery } from "./pages.ts";
import { path } from "./request.ts";
import { freeFormObject, recordId, wireList, wireObject } from "./wire-schema.ts";

/** `/v2/runs` (specification, "Runs"), and the list of a tenant's runs, which not every platform has. */
export interface Runs {
  /**
   * One page of a tenant's runs; `limit` is 100 by default, at most 500. The specification does not have this list: a platform
   * without it answers 403, 404 or 405, which rejects with `AuthenticationError`, `NotFoundError` or `OperationMissingError`.
   */
  listPage(tenantId: number, query?: ListRunsQuery): Promise<Run[]>;
  /** A tenant's newest runs, the newest first. Rejects as `listPage` does. */
  newest(tenantId: number, count: number): Promise<Run[]>;
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

/** Orders and pages the runs of a tenant. */
export type ListRunsQuery = Omit<ListQuery, "archived">;

/**
 * A run in the list of a tenant's runs. The specification has no fields of a run. The words of `mode`, `source` and `phase` are
 * the platform's own; one run may have several triggers. Times are ISO 8601.
 */
export type Run = z.infer<typeof runSchema>;

const runTriggerSchema = wireObject({
  /** Compare it as a string with the `trigger_id` of a sync's answer. */
  id: z.union([z.number(), z.string()]),
  created_date: z.string().nullish(),
  mode: z.string().nullish(),
  source: z.string().nullish(),
  payload: freeFormObject.nullish(),
});

export const runSchema = wireObject({
  id: recordId,
  mode: z.string(),
  status: wireObject({
    phase: z.string().nullish(),
    startTime: z.string().nullish(),
    completionTime: z.string().nullish(),
  }).nullish(),
  triggers: wireList(runTriggerSchema).nullish(),
  started_date: z.string().nullish(),
  completed_date: z.string().nullish(),
  tenant_id: recordId.nullish(),
  integration_id: recordId.nullish(),
});

/** The status of a triggered run (specification, "TriggerStatus"). Its values are not documented. */
export type TriggerStatus = z.infer<typeof triggerStatusSchema>;

export const triggerStatusSchema = wireObject({ status: z.string() });

export function createRuns(call: Call, download: LogDownload, open: LogOpeners): Runs {
  function listPage(tenantId: number, query: ListRunsQuery = {}) {
    const errorFrom = operationMissing("list the runs of tenants");
    const request = {
      method: "GET",
      path: path`/v2/tenants/${tenantId}/runs`,
      query: pageQuery(query),
      errorFrom,
    } as const;
    return call(request, wireList(runSchema));
  }

  /** One page in descending order, where the platform sorts by id. */
  async function newestPage(tenantId: number, limit: number): Promise<Run[]> {
    try {
      return await listPage(tenantId, { limit, sortBy: { field: "id", direction: "DESC" } });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return listPage(tenantId, { limit: maxPageSize }); // the fields to sort by are not documented
    }
  }

  return {
    listPage: async (tenantId, query) => listPage(tenantId, query),
    newest: async (tenantId, count) => {
      const page = await newestPage(tenantId, Math.min(count, maxPageSize));
      const all = isDescending(page) ? page : await allRuns((query) => listPage(tenantId, query));
      return [...all].sort((one, other) => other.id - one.id).slice(0, count);
    },
    getTriggerStatus: async (triggerId) =>
      call({ method: "GET", path: path`/v2/runs/triggers/${triggerId}/status` }, triggerStatusSchema),
    getLog: async (runId) => download(path`/v2/runs/${runId}/log`, open.text),
    streamLog: async (runId) => download(path`/v2/runs/${runId}/log`, open.stream),
  };
}

async function allRuns(listPage: (query: ListRunsQuery) => Promise<Run[]>): Promise<Run[]> {
  return [...(await createPages(listPage).read({})).values()];
}

function isDescending(page: readonly Run[]): boolean {
  return page.every(({ id }, index) => index === 0 || id < (page[index - 1]?.id ?? id));
}

interface LogOpeners {
  text: OpenLog<string>;
  stream: OpenLog<ReadableStream<Uint8Array>>;
}
