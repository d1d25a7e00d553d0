import type { Settings } from "./client-options.ts";
import { ConfigurationError } from "./errors.ts";
import type { HttpRequest, Method } from "./exchange.ts";
import type { ErrorFrom } from "./failure.ts";

/** One request in the API's terms. */
export interface ApiRequest {
  method: Method;
  /** From `/v2` on, segments encoded. */
  path: string;
  query?: Record<string, string | number | boolean | undefined> | undefined;
  /** Written as JSON; undefined sends none. */
  body?: unknown;
  /** A list answers 404 only when the address is wrong. */
  isList?: boolean | undefined;
  /** An answer in XML is taken as a string. */
  mayAnswerXml?: boolean | undefined;
  /** Errors of this endpoint alone; undefined leaves it to the common ones. */
  errorFrom?: ErrorFrom | undefined;
}

/** @throws ConfigurationError for a body that JSON cannot hold. */
export function httpRequestFrom(request: ApiRequest, settings: Settings): HttpRequest {
  const url = new URL(settings.baseUrl + request.path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) {
      url.searchParams.set(name, String(value));
    }
  }
  const body = request.body === undefined ? undefined : stringify(request);
  return {
    method: request.method,
    url,
    headers: {
      accept: "application/json",
      "user-agent": "pulumi-integration-platform",
      "x-api-key": settings.apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body,
  };
}

function stringify(request: ApiRequest): string {
  try {
    return JSON.stringify(request.body);
  } catch (cause) {
    throw new ConfigurationError(
      `${request.method} ${request.path}: the body cannot be written as JSON; no request was made.`,
      { cause },
    );
  }
}
