import { setTimeout as wait } from "node:timers/promises";
import { isJsonObject, parseExactJson } from "../rules/json.ts";
import { type Connection, closeConnection, closeInMiddle, sendSlowly } from "./connection.ts";
import type { FaultSpec } from "./fault.ts";

/** A request that meets a fault. */
export interface FaultyRequest {
  readonly bodyText: string;
  readonly connection: Connection | undefined;
  /** Passes the request with this body to the routes, and gives their response. */
  readonly apply: (bodyText: string) => Promise<Response>;
  /** The emulator's time, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
  /** Aborted when the faults are cleared. */
  readonly cleared: AbortSignal;
}

/** The response to a request that meets a fault. `faultKinds` says what each kind does. */
export async function faultyResponse(
  fault: FaultSpec,
  { bodyText, connection, apply, now, closing, cleared }: FaultyRequest,
): Promise<Response> {
  switch (fault.kind) {
    case "status": {
      if (fault.applied) await apply(bodyText);
      return statusResponse(fault.status, fault.body, fault.headers);
    }
    case "delay": {
      const early = fault.applied ? await apply(bodyText) : undefined;
      await wait(fault.ms, undefined, { signal: AbortSignal.any([closing, cleared]) }).catch(() => {});
      closing.throwIfAborted();
      return early ?? apply(bodyText);
    }
    case "cut-before":
      return closeConnection(connection);
    case "cut-after":
      await apply(bodyText);
      return closeConnection(connection);
    case "cut-middle":
      return closeInMiddle(connection, await apply(bodyText));
    case "html":
      return new Response(htmlPage, {
        status: fault.status ?? 200,
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    case "truncated-json":
      return truncate(await apply(bodyText));
    case "slow-bytes":
      return sendSlowly(await apply(bodyText), fault.ms, closing);
    case "wrong-shape":
      return reshape(await apply(bodyText), fault.body);
    case "ignore-fields":
      return apply(withoutFields(bodyText, fault.fields));
    case "wrong-date": {
      const response = await apply(bodyText);
      response.headers.set("date", new Date(now() + fault.seconds * 1000).toUTCString());
      return response;
    }
    case "rate-limit": {
      const retryAfterSeconds = Math.max(1, Math.ceil(1 / fault.perSecond));
      return statusResponse(429, { detail: "Too Many Requests" }, { "retry-after": String(retryAfterSeconds) });
    }
  }
}

const htmlPage =
  "<!doctype html><html><head><title>Welcome to the gateway</title></head><body><h1>Welcome</h1><p>Sign in to go on.</p></body></html>";

const jsonType = { "content-type": "application/json" };

function statusResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  // Response does not accept a body with these statuses.
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status, headers });
  if (typeof body === "string") return new Response(body, { status, headers });
  const sent = body === undefined ? { message: `fault: status ${status}` } : body;
  return new Response(JSON.stringify(sent), { status, headers: { ...jsonType, ...headers } });
}

async function truncate(response: Response): Promise<Response> {
  const body = await response.text();
  return new Response(body.slice(0, Math.ceil(body.length / 2)), { status: response.status, headers: jsonType });
}

async function reshape(response: Response, body: unknown): Promise<Response> {
  const value = parseIfJson((await response.text()) || "null");
  const wrong = body ?? (Array.isArray(value) ? { items: value } : [value]);
  return new Response(JSON.stringify(wrong), { status: response.status, headers: jsonType });
}

/** The value of a JSON body; a body that is not JSON, such as a log, as a string. */
function parseIfJson(body: string): unknown {
  try {
    return parseExactJson(body);
  } catch {
    return body;
  }
}

function withoutFields(bodyText: string, fields: readonly string[]): string {
  try {
    const body: unknown = parseExactJson(bodyText);
    if (!isJsonObject(body)) return bodyText;
    return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key))));
  } catch {
    return bodyText;
  }
}
