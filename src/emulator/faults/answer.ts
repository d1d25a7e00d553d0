import { setTimeout as wait } from "node:timers/promises";
import { isJsonObject } from "../entities/json.ts";
import { type Connection, cutConnection, cutInMiddle } from "./connection.ts";
import type { FaultSpec } from "./fault.ts";
import { drip } from "./slow-bytes.ts";

/** A request about to be struck by a fault. */
export interface StruckRequest {
  readonly bodyText: string;
  readonly connection: Connection | undefined;
  /** Lets the request take effect, with this body, and gives the true answer. */
  readonly apply: (bodyText: string) => Promise<Response>;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
}

/** The answer to a struck request; see `faultSchema` for what each fault does. */
export async function answerStruck(
  fault: FaultSpec,
  { bodyText, connection, apply, closing }: StruckRequest,
): Promise<Response> {
  switch (fault.kind) {
    case "status": {
      if (fault.applied) await apply(bodyText);
      return statusAnswer(fault.status, fault.body, fault.headers);
    }
    case "delay": {
      const early = fault.applied ? await apply(bodyText) : undefined;
      await wait(fault.ms, undefined, { signal: closing });
      return early ?? apply(bodyText);
    }
    case "cut-before":
      return cutConnection(connection);
    case "cut-after":
      await apply(bodyText);
      return cutConnection(connection);
    case "cut-middle":
      return cutInMiddle(connection, await apply(bodyText));
    case "html":
      return new Response(htmlPage, {
        status: fault.status ?? 200,
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    case "truncated-json":
      return truncate(await apply(bodyText));
    case "slow-bytes":
      return drip(await apply(bodyText), fault.ms, closing);
    case "wrong-shape":
      return reshape(await apply(bodyText), fault.body);
    case "ignore-fields":
      return apply(withoutFields(bodyText, fault.fields));
    case "rate-limit": {
      const retryAfterSeconds = Math.max(1, Math.ceil(1 / fault.perSecond));
      return statusAnswer(429, { detail: "Too Many Requests" }, { "retry-after": String(retryAfterSeconds) });
    }
  }
}

const htmlPage =
  "<!doctype html><html><head><title>Welcome to the gateway</title></head><body><h1>Welcome</h1><p>Sign in to go on.</p></body></html>";

const jsonType = { "content-type": "application/json" };

function statusAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  // Response refuses a body with these.
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status, headers });
  if (typeof body === "string") return new Response(body, { status, headers });
  const shown = body === undefined ? { message: `fault: status ${status}` } : body;
  return new Response(JSON.stringify(shown), { status, headers: { ...jsonType, ...headers } });
}

async function truncate(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text.slice(0, Math.ceil(text.length / 2)), { status: answer.status, headers: jsonType });
}

async function reshape(answer: Response, body: unknown): Promise<Response> {
  const value = parseOrText((await answer.text()) || "null");
  const wrong = body ?? (Array.isArray(value) ? { items: value } : [value]);
  return new Response(JSON.stringify(wrong), { status: answer.status, headers: jsonType });
}

/** Logs are no JSON. */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withoutFields(bodyText: string, fields: readonly string[]): string {
  try {
    const body: unknown = JSON.parse(bodyText);
    if (!isJsonObject(body)) return bodyText;
    return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key))));
  } catch {
    return bodyText;
  }
}
