import type { Settings } from "./client-options.ts";
import { readErrorBody } from "./error-body.ts";
import type { ApiError } from "./errors.ts";
import type { Exchange, ExchangeFailure, HttpResponse } from "./exchange.ts";
import { errorFromExchange, isTransient } from "./exchange-error.ts";
import type { FailedResponse, Failure } from "./failure.ts";
import type { Redact } from "./redaction.ts";
import { type ApiRequest, httpRequestFrom } from "./request.ts";
import { errorFromResponse } from "./response-error.ts";
import { type Attempt, type Retry, retryAfterSecondsFrom } from "./retry.ts";
import { withoutWords } from "./withheld-words.ts";

/** Sends a request, again where that is safe and helps, until there is an answer of the expected kind. Rejects with an `ApiError`. */
export type Send = (request: ApiRequest, expected?: "success" | "redirect") => Promise<HttpResponse>;

export interface Sender {
  settings: Settings;
  exchange: Exchange;
  retry: Retry;
  redact: Redact;
}

export function createSend(sender: Sender): Send {
  return (request, expected = "success") => {
    const httpRequest = httpRequestFrom(request, sender.settings);
    return sender.retry(async (attempts): Promise<Attempt<HttpResponse>> => {
      const exchanged = await sender.exchange(httpRequest);
      if ("failure" in exchanged) {
        return failedExchange(sender, request, exchanged.failure, attempts);
      }
      const { response } = exchanged;
      return isExpected(response.status, expected)
        ? { value: response }
        : failedResponse(sender, request, response, attempts);
    });
  };
}

function isExpected(status: number, expected: "success" | "redirect"): boolean {
  return expected === "success" ? status < 300 : [301, 302, 303, 307, 308].includes(status);
}

function failedExchange(
  { settings, redact }: Sender,
  request: ApiRequest,
  exchange: ExchangeFailure,
  attempts: number,
): Attempt<never> {
  const isRead = request.method === "GET";
  const failure: Failure = {
    method: request.method,
    path: request.path,
    status: exchange.status,
    attempts,
    mayHaveBeenApplied: exchange.wasSent && !isRead,
  };
  return {
    error: errorFromExchange(failure, exchange, settings, redact),
    isWorthRepeating: isTransient(exchange) && (isRead || !exchange.wasSent),
  };
}

function failedResponse(sender: Sender, request: ApiRequest, response: HttpResponse, attempts: number): Attempt<never> {
  const { status, header } = response;
  const isRead = request.method === "GET";
  const failure: FailedResponse = {
    method: request.method,
    path: request.path,
    status,
    attempts,
    // A redirect or a success that was not expected may come after the fact as well.
    mayHaveBeenApplied: !isRead && (status < 400 || status >= 500),
    body: readErrorBody(response.body, header("content-type"), sender.redact),
    retryAfterSeconds: retryAfterSecondsFrom(header),
  };
  return {
    error: errorOf(sender, request, failure, header("location")),
    isWorthRepeating: status === 429 || (isRead && [500, 502, 503, 504].includes(status)),
    isRateLimited: status === 429,
    retryAfterSeconds: failure.retryAfterSeconds,
  };
}

function errorOf(sender: Sender, request: ApiRequest, failure: FailedResponse, location: string | undefined): ApiError {
  const { settings, redact } = sender;
  const body =
    failure.status < 400 && location !== undefined
      ? { ...failure.body, words: redact(describeRedirect(location, settings.baseUrl)) }
      : failure.body;
  const told = { ...failure, body: settings.secrets.hasShort(request.body) ? withoutWords(body, request.body) : body };
  return request.errorFrom?.(told) ?? errorFromResponse(told, settings.baseUrl, request.isList ?? false);
}

/** Without its query, which may hold a signature. */
function describeRedirect(location: string, baseUrl: string): string {
  const target = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
  const place = target === undefined ? "elsewhere" : `to ${target.origin}${target.pathname}`;
  return `a redirect ${place}, not followed because the API key would travel along`;
}
