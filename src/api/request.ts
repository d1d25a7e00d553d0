import type { Settings } from "./client-options.ts";
import { ConfigurationError } from "./errors.ts";
import type { HttpMethod, HttpRequest } from "./exchange.ts";
import type { ErrorFactory } from "./failed-attempt.ts";

/** A request in the API's terms. */
export interface ApiRequest {
  method: HttpMethod;
  /** From `/v2` on, with encoded segments; see {@link path}. */
  path: string;
  query?: Record<string, string | number | boolean | undefined> | undefined;
  /** Sent as JSON; undefined sends no body. */
  body?: unknown;
  /** Whether the endpoint is a list: a list is never missing, so a 404 means a wrong base URL. */
  isList?: boolean | undefined;
  /** Whether the response may be XML, which is then returned as a string. */
  acceptsXml?: boolean | undefined;
  /** Creates the errors that only this endpoint has; where it returns undefined, the common errors apply. */
  errorFrom?: ErrorFactory | undefined;
}

/**
 * Builds a path of the API and encodes each value as one segment.
 *
 * @example path`/v2/tenants/${7}/connectors/${"a/b"}/call` // "/v2/tenants/7/connectors/a%2Fb/call"
 * @throws ConfigurationError for a value that cannot be one segment, as the path would address something else.
 */
export function path(literals: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return values.reduce<string>(
    (soFar, value, index) => soFar + segmentOf(value) + (literals[index + 1] ?? ""),
    literals[0] ?? "",
  );
}

/** @throws ConfigurationError for a body that cannot be written as JSON. */
export function httpRequestFrom(request: ApiRequest, settings: Settings): HttpRequest {
  const url = new URL(settings.baseUrl + request.path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const body = request.body === undefined ? undefined : stringify(request);
  return {
    method: request.method,
    url,
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      "x-api-key": settings.apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body,
  };
}

export const userAgent = "pulumi-integration-platform";

function segmentOf(value: string | number): string {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new ConfigurationError(`An id must be an integer, not ${value}; no request was sent.`);
  }
  const text = String(value);
  const isSegment = text !== "" && text !== "." && text !== ".." && text.isWellFormed();
  if (!isSegment) {
    throw new ConfigurationError(
      `${JSON.stringify(text)} cannot be a segment of an API path; no request was sent. Give an id or a name.`,
    );
  }
  return encodeURIComponent(text);
}

function stringify(request: ApiRequest): string {
  try {
    return JSON.stringify(request.body);
  } catch (cause) {
    throw new ConfigurationError(
      `${request.method} ${request.path}: the body cannot be written as JSON; no request was sent.`,
      { cause },
    );
  }
}
