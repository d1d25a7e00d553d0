import {
  type ApiError,
  AuthenticationError,
  NotFoundError,
  RateLimitError,
  RequestError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "./errors.ts";
import { errorFacts, errorMessage, type FailedResponse } from "./failed-attempt.ts";

/** Creates the error of a response by its status. */
export function errorFromResponse(failed: FailedResponse, baseUrl: string, isList: boolean): ApiError {
  const { status, body } = failed;
  const facts = errorFacts(failed);
  const checkBaseUrl = body.isHtml ? ` Check that ${baseUrl} is the API's base URL.` : "";

  function message(what: string, next: string) {
    return errorMessage(failed, what, body.message, `${next}${checkBaseUrl}`);
  }

  if (status === 401 || status === 403) {
    return new AuthenticationError(message("the API key was refused", checkKey), facts);
  }
  if (isOfOtherServer(failed)) {
    const next = `${checkAddress(baseUrl)} If it is right, try again later.`;
    return new UnexpectedResponseError(errorMessage(failed, "not found", body.message, next), facts);
  }
  if (status === 404) {
    const next = isList ? checkAddress(baseUrl) : "Check the id. Archived records are not found either.";
    return new NotFoundError(message("not found", next), facts);
  }
  if (status === 400 || status === 422) {
    return new ValidationError(message("refused as invalid", "Correct the request."), facts, body.details);
  }
  if (status === 429) {
    const next = `Try again ${adviceOnDelay(failed.retryAfterSeconds)}, or lower the client's concurrency.`;
    return new RateLimitError(message("rate limited", next), facts, failed.retryAfterSeconds);
  }
  if (status >= 500) return new ServerError(message("the server failed", "Try again later."), facts);
  if (status >= 400) return new RequestError(message("refused", "Correct the request."), facts);
  return new UnexpectedResponseError(message("an undocumented response", `Check the base URL ${baseUrl}.`), facts);
}

/**
 * Whether a 404 has another form than the API's (specification, "Error shapes"). Then it does not say that a record does not
 * exist: the base URL is wrong, or an ingress in front of the platform has answered while the platform restarts.
 */
export function isOfOtherServer({ status, body }: FailedResponse): boolean {
  return status === 404 && !body.isApiShape;
}

const checkKey =
  "Check the API key (INTEGRATION_PLATFORM_API_KEY, otherwise apiKey of the stack): it is wrong, revoked, or of another " +
  "deployment (production or sandbox).";

function checkAddress(baseUrl: string): string {
  return `Check the base URL ${baseUrl}: the API's paths begin with /v2 right after it.`;
}

function adviceOnDelay(retryAfterSeconds: number | undefined): string {
  return retryAfterSeconds === undefined || retryAfterSeconds === 0 ? "later" : `in ${Math.ceil(retryAfterSeconds)} s`;
}
