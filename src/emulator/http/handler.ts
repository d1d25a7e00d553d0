import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { timestamp } from "../clock.ts";
import { type Connection, closeConnection } from "../faults/connection.ts";
import { faultyResponse } from "../faults/faulty-response.ts";
import type { PendingFaults } from "../faults/pending.ts";
import type { Platform } from "../platform.ts";
import { isOfBrowser } from "./browser-requests.ts";
import { addDate } from "./date-header.ts";
import type { App } from "./environment.ts";
import { queryOf } from "./parameters.ts";
import { maxBodyBytes, readBody } from "./request-body.ts";
import { type RequestLog, type RequestRecord, recordedBody, recordedQuery } from "./request-log.ts";
import { json } from "./responses.ts";

/** Answers a request. `connection` is undefined for a request to `emulator.fetch`. */
export type Handle = (request: Request, connection?: Connection) => Promise<Response>;

export interface HandlerParts {
  readonly app: App;
  readonly platform: Platform;
  readonly faults: PendingFaults;
  readonly log: RequestLog;
  /** Runs the jobs that are due, and starts sending pending webhooks. Called before and after each request. */
  readonly runDueJobs: () => void;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
}

/** Handles what comes before the routes: reads the body, writes the request log, and applies faults. */
export function createHandler({ app, platform, faults, log, runDueJobs, closing }: HandlerParts): Handle {
  return async (request, connection) => {
    const url = new URL(request.url);
    const isOverNetwork = connection !== undefined;
    const route = async (bodyText: string) => {
      runDueJobs();
      try {
        return addDate(platform, await app.fetch(request, { bodyText, isOverNetwork }));
      } finally {
        // While the emulator closes, the database may be closed already.
        if (!closing.aborted) runDueJobs();
      }
    };
    const isApi = !otherPaths.test(url.pathname) && !isOfBrowser(request, url.pathname);

    const record: RequestRecord = {
      method: request.method,
      path: url.pathname,
      query: recordedQuery(queryOf(request.url)),
      status: null,
      at: timestamp(platform.clock),
    };
    // The log is in the order of arrival, whatever the order of the responses.
    if (isApi) log.add(record);

    const bodyText = await readBody(request);
    if (bodyText === undefined) return complete(record, addDate(platform, tooLargeResponse()));
    Object.assign(record, recordedBody(bodyText, url.pathname));
    if (!isApi) return route(bodyText);

    const fault = faults.take({ method: request.method, path: url.pathname, query: url.search });
    if (!fault) return complete(record, await route(bodyText));
    Object.assign(record, { fault: fault.kind });
    try {
      const response = await faultyResponse(fault, {
        bodyText,
        connection,
        apply: route,
        now: platform.clock.now,
        closing,
        cleared: faults.cleared(),
      });
      return complete(record, addDate(platform, response));
    } catch (error) {
      if (closing.aborted) return closeConnection(connection);
      throw error;
    }
  };
}

const otherPaths = /^\/(_emulator|console|openapi\.json)(\/|$)/;

/** Adds the status to the record of a request. */
function complete(record: RequestRecord, response: Response): Response {
  const isClosed = response === RESPONSE_ALREADY_SENT;
  Object.assign(record, { status: isClosed ? null : response.status });
  return response;
}

function tooLargeResponse(): Response {
  return json({ detail: `Request body over ${maxBodyBytes} bytes` }, 413);
}
