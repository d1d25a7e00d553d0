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
import { type FailedResponse, factsOf, messageOf } from "./failure.ts";

/** The one place where a status becomes an error class. */
export function errorFromResponse(failure: FailedResponse, baseUrl: string, isList: boolean): ApiError {
  const { status, body } = failure;
  const facts = factsOf(failure);
  const isThisTheApi = body.isHtml ? ` Is ${baseUrl} the API's base address?` : "";

  function message(what: string, next: string) {
    return messageOf(failure, what, body.words, `${next}${isThisTheApi}`);
  }

  if (status === 401 || status === 403) {
    return new AuthenticationError(message("authentication refused", checkKey), facts);
  }
  if (status === 404) {
    return new NotFoundError(message("not found", adviseOnNotFound(failure, baseUrl, isList)), facts);
  }
  if (status === 400 || status === 422) {
    return new ValidationError(message("refused as invalid", "Correct what it names."), facts, body.details);
  }
  if (status === 429) {
    const next = `Try again ${adviseOnDelay(failure.retryAfterSeconds)}, or lower the client's concurrency.`;
    return new RateLimitError(message("rate limited", next), facts, failure.retryAfterSeconds);
  }
  if (status >= 500) {
    return new ServerError(message("the server failed", "Try again later."), facts);
  }
  if (status >= 400) {
    return new RequestError(message("refused", "Correct the request."), facts);
  }
  return new UnexpectedResponseError(
    message("an answer that is not documented", `Check the base URL ${baseUrl}.`),
    facts,
  );
}

const checkKey =
  "Check INTEGRATION_PLATFORM_API_KEY: the key is missing, wrong, revoked, or of the other deployment (production or sandbox).";

function adviseOnNotFound({ body }: FailedResponse, baseUrl: string, isList: boolean): string {
  const checkAddress = `Check the base URL ${baseUrl}: the API's paths begin with /v2 right after it.`;
  if (isList) {
    return `A list that is empty does not answer so. ${checkAddress}`;
  }
  return body.isApiShape ? "Check the id; what was archived is not found either." : checkAddress;
}

function adviseOnDelay(retryAfterSeconds: number | undefined): string {
  return retryAfterSeconds === undefined || retryAfterSeconds === 0 ? "later" : `in ${Math.ceil(retryAfterSeconds)} s`;
}
