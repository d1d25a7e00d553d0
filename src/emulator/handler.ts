import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { timestamp } from "./clock.ts";
import { answerStruck } from "./faults/answer.ts";
import { type Connection, cutConnection } from "./faults/connection.ts";
import type { PendingFaults } from "./faults/pending.ts";
import { json } from "./http/answers.ts";
import { maxBodyBytes, readBody } from "./http/body.ts";
import type { App } from "./http/environment.ts";
import { queryOf } from "./http/list-query.ts";
import type { Platform } from "./platform.ts";
import { type RequestLog, type RequestRecord, recordedBody, recordedQuery } from "./request-log.ts";

/** Answers a request; `connection` is absent for one that comes through `fetch`. */
export type Handle = (request: Request, connection?: Connection) => Promise<Response>;

export interface HandlerParts {
  readonly app: App;
  readonly platform: Platform;
  readonly faults: PendingFaults;
  readonly log: RequestLog;
  readonly background: Background;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
}

/** What goes on without requests. */
export interface Background {
  /** Does what is due, and starts sending what is to be sent. */
  catchUp(): void;
}

/** What stands before the routes: reading the body once, the request log, and faults. */
export function createHandler({ app, platform, faults, log, background, closing }: HandlerParts): Handle {
  return async (request, connection) => {
    const url = new URL(request.url);
    const isOverNetwork = connection !== undefined;
    const route = async (bodyText: string) => {
      background.catchUp();
      try {
        return await app.fetch(request, { bodyText, isOverNetwork });
      } finally {
        // Not after closing has begun: the database may be gone by then.
        if (!closing.aborted) background.catchUp();
      }
    };
    const isApi = !/^\/(_emulator|console|openapi\.json)(\/|$)/.test(url.pathname);

    const record: RequestRecord = {
      method: request.method,
      path: url.pathname,
      query: recordedQuery(queryOf(request.url)),
      status: null,
      at: timestamp(platform.clock),
    };
    // At arrival, so that the log is in the order of arrival even where answers overtake each other.
    if (isApi) log.add(record);

    const bodyText = await readBody(request);
    if (bodyText === undefined) return settle(record, tooLarge());
    Object.assign(record, recordedBody(bodyText, url.pathname));
    if (!isApi) return route(bodyText);

    const fault = faults.strike({ method: request.method, path: url.pathname, query: url.search });
    if (!fault) return settle(record, await route(bodyText));
    Object.assign(record, { fault: fault.kind });
    try {
      return settle(record, await answerStruck(fault, { bodyText, connection, apply: route, closing }));
    } catch (error) {
      if (closing.aborted) return cutConnection(connection);
      throw error;
    }
  };
}

function settle(record: RequestRecord, answer: Response): Response {
  const isCut = answer === RESPONSE_ALREADY_SENT;
  Object.assign(record, { status: isCut ? null : answer.status });
  return answer;
}

function tooLarge(): Response {
  return json({ detail: `Request body over ${maxBodyBytes} bytes` }, 413);
}
