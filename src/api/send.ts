import type { Settings } from "./client-options.ts";
import { parseErrorBody, withholdMessages } from "./error-body.ts";
import { type ApiError, OperationMissingError } from "./errors.ts";
import type { Exchange, ExchangeFailure, HttpResponse } from "./exchange.ts";
import { errorFromExchange, isTransient } from "./exchange-error.ts";
import type { FailedAttempt, FailedResponse } from "./failed-attempt.ts";
import type { Redact } from "./redaction.ts";
import { type ApiRequest, httpRequestFrom } from "./request.ts";
import { errorFromResponse, isOfOtherServer } from "./response-error.ts";
import { type Attempt, type Retry, retryAfterSecondsFrom } from "./retry.ts";

/** Sends a request, with retries where they are safe, until a response of the expected kind comes. Rejects with an `ApiError`. */
export type Send = (request: ApiRequest, expected?: "success" | "redirect") => Promise<HttpResponse>;

/** What sending needs; one for each client. */
export interface Transport {
  settings: Settings;
  exchange: Exchange;
  retry: Retry;
  redact: Redact;
}

export function createSend(transport: Transport): Send {
  return (request, expected = "success") => {
    const httpRequest = httpRequestFrom(request, transport.settings);
    return transport.retry(async (attempts): Promise<Attempt<HttpResponse>> => {
      const result = await transport.exchange(httpRequest);
      if ("failure" in result) return failedExchange(transport, request, result.failure, attempts);
      const { response } = result;
      return isExpected(response.status, expected)
        ? { value: response }
        : failedResponse(transport, request, response, attempts);
    });
  };
}

function isExpected(status: number, expected: "success" | "redirect"): boolean {
  return expected === "success" ? status < 300 : [301, 302, 303, 307, 308].includes(status);
}

function failedExchange(
  { settings, redact }: Transport,
  request: ApiRequest,
  exchange: ExchangeFailure,
  attempts: number,
): Attempt<never> {
  const isRead = request.method === "GET";
  const failed: FailedAttempt = {
    method: request.method,
    path: request.path,
    status: exchange.status,
    attempts,
    mayHaveBeenApplied: exchange.wasSent && !isRead,
  };
  return {
    error: errorFromExchange(failed, exchange, settings, redact),
    isRetryable: isTransient(exchange) && (isRead || !exchange.wasSent),
  };
}

function failedResponse(
  transport: Transport,
  request: ApiRequest,
  response: HttpResponse,
  attempts: number,
): Attempt<never> {
  const { status, header } = response;
  const isRead = request.method === "GET";
  const failed: FailedResponse = {
    method: request.method,
    path: request.path,
    status,
    attempts,
    // The platform may have applied the request before an unexpected redirect or success, too.
    mayHaveBeenApplied: !isRead && (status < 400 || status >= 500),
    body: parseErrorBody(response, transport.redact),
    retryAfterSeconds: retryAfterSecondsFrom(header),
  };
  const error = errorOf(transport, request, failed, header("location"));
  const mayPass = isTemporary(status) || (isOfOtherServer(failed) && !(error instanceof OperationMissingError));
  return {
    error,
    isRetryable: status === 429 || (isRead && mayPass),
    isRateLimited: status === 429,
    retryAfterSeconds: failed.retryAfterSeconds,
  };
}

/** Whether the next attempt may get another status. CDNs have statuses of their own, such as 520 to 524 and 529. */
function isTemporary(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

function errorOf(
  { settings, redact }: Transport,
  request: ApiRequest,
  failed: FailedResponse,
  location: string | undefined,
): ApiError {
  const isRedirect = failed.status < 400 && location !== undefined;
  const message = isRedirect ? redact(describeRedirect(location, settings.baseUrl)) : failed.body.message;
  const mustWithhold = settings.secrets.hasShort(request.body);
  const body = mustWithhold ? withholdMessages(failed.body, request.body) : { ...failed.body, message };
  const shown = { ...failed, body };
  return request.errorFrom?.(shown) ?? errorFromResponse(shown, settings.baseUrl, request.isList ?? false);
}

/** The query is left out, as it may hold a signature. */
function describeRedirect(location: string, baseUrl: string): string {
  const target = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
  const place = target === undefined ? "to no valid address" : `to ${target.origin}${target.pathname}`;
  return `a redirect ${place}, not followed because the API key would be sent there`;
}
