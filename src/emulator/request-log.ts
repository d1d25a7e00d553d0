import { isJsonObject } from "./entities/json.ts";
import type { FaultSpec } from "./faults/fault.ts";
import { parseKeepingNumbers } from "./rules/kept-numbers.ts";

/** A request that the emulator got under its API, and what became of it. Headers, and so keys, are not recorded. */
export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  /** The last value of each query parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON; as text when it is none; absent when there is no body or it was too long to read. */
  readonly body?: unknown;
  /** The status of the answer; null while there is none, and for ever when the connection was cut. */
  readonly status: number | null;
  /** The kind of the fault that struck it. */
  readonly fault?: FaultSpec["kind"];
  /** When it arrived: ISO 8601, UTC. */
  readonly at: string;
}

/** The latest requests, oldest first. */
export interface RequestLog {
  add(record: RequestRecord): void;
  list(): RequestRecord[];
  clear(): void;
}

/** @param capacity how many requests are kept before the oldest are forgotten. */
export function createRequestLog(capacity = 10_000): RequestLog {
  let records: RequestRecord[] = [];
  return {
    add: (record) => {
      records.push(record);
      // Cut now and then instead of at each request: shifting a long array each time is slow.
      if (records.length >= 2 * capacity) records = records.slice(-capacity);
    },
    list: () => records.slice(-capacity).map((record) => ({ ...record })),
    clear: () => {
      records = [];
    },
  };
}

/** A body as a record holds it: of a proxy call without the values of its headers, which may be credentials. */
export function recordedBody(text: string | undefined, path: string): { body?: unknown } {
  if (!text) return {};
  const body = parse(text);
  const isProxyCall = /^\/v2\/tenants\/[^/]+\/connectors\/[^/]+\/(call|soap|xml)$/.test(path);
  if (!isProxyCall) return { body };
  return isJsonObject(body)
    ? { body: { ...body, ...("headers" in body ? { headers: hidden } : {}) } }
    : { body: hidden };
}

/** A query as a record holds it: a signed link without its signature, which is as good as a key. */
export function recordedQuery(query: Record<string, string>): Record<string, string> {
  return "signature" in query ? { ...query, signature: hidden } : query;
}

const hidden = "***";

function parse(text: string): unknown {
  try {
    return parseKeepingNumbers(text);
  } catch {
    return text;
  }
}
