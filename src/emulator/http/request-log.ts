import type { FaultSpec } from "../faults/fault.ts";
import { isJsonObject } from "../rules/json.ts";
import { readableBody } from "./request-body.ts";

/** A request to the API, and the status of its response. Headers are not recorded, as they hold API keys. */
export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  /** The last value of each query parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON, or as a string when it is not JSON or nested more than 200 levels deep; absent when there was no body or it was too long. */
  readonly body?: unknown;
  /** The status of the response; null until there is one. It stays null when the connection was closed without one. */
  readonly status: number | null;
  /** The kind of the fault that the request met. */
  readonly fault?: FaultSpec["kind"];
  /** When the request arrived: ISO 8601, UTC. */
  readonly at: string;
}

/** The latest requests, oldest first. */
export interface RequestLog {
  add(record: RequestRecord): void;
  list(): RequestRecord[];
  clear(): void;
}

/** @param capacity the number of requests that the log holds; then it drops the oldest. */
export function createRequestLog(capacity = 10_000): RequestLog {
  let records: RequestRecord[] = [];
  return {
    add: (record) => {
      records.push(record);
      // Dropping the oldest request at each new one would copy a long array every time.
      if (records.length >= 2 * capacity) records = records.slice(-capacity);
    },
    list: () => records.slice(-capacity).map((record) => ({ ...record })),
    clear: () => {
      records = [];
    },
  };
}

/** The body of a request for its record. The headers of a proxy call are left out, as they may hold credentials. */
export function recordedBody(bodyText: string | undefined, path: string): { body?: unknown } {
  if (!bodyText) return {};
  const body = readableBody(bodyText);
  const isProxyCall = /^\/v2\/tenants\/[^/]+\/connectors\/[^/]+\/(call|soap|xml)$/.test(path);
  if (!isProxyCall) return { body };
  return isJsonObject(body)
    ? { body: { ...body, ...("headers" in body ? { headers: hidden } : {}) } }
    : { body: hidden };
}

/** The query of a request for its record. A signature is left out, as it gives access like an API key. */
export function recordedQuery(query: Record<string, string>): Record<string, string> {
  return "signature" in query ? { ...query, signature: hidden } : query;
}

const hidden = "***";
