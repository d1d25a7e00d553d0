import type { JsonValue } from "./json.ts";

/** What every failed request knows about itself. */
export interface ApiErrorFacts {
  method: string;
  /** The path of the API, without the base URL and without the query. */
  path: string;
  /** Absent when no status came back. */
  status?: number | undefined;
  mayHaveBeenApplied: boolean;
  cause?: unknown;
}

/**
 * Root of everything that a request can fail with. The message says what failed, the METHOD and path, the status, the server's own words
 * and what to do next. It never holds the API key.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly method: string;
  /** The path of the API, without the base URL and without the query. */
  readonly path: string;
  /** The HTTP status; undefined when none came back. */
  readonly status: number | undefined;
  /**
   * True when the platform may have done what was asked although the request failed (an answer that was lost or could not be read, a 5xx):
   * look before asking again. Always false for GET.
   */
  readonly mayHaveBeenApplied: boolean;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.mayHaveBeenApplied = facts.mayHaveBeenApplied;
  }
}

/** 401 or 403: the key is missing, wrong, revoked, or of the other deployment. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 404. On a list it means that the base URL is wrong, never that the list is empty. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** One thing that the platform found wrong. */
export interface ErrorDetail {
  /** Where in the request, for example `configs.region`; empty when the platform did not say. A leading `body` is left out. */
  path: string;
  message: string;
}

/** 400 or 422: the platform refused what was sent. */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  readonly details: readonly ErrorDetail[];

  constructor(message: string, facts: ApiErrorFacts, details: readonly ErrorDetail[]) {
    super(message, facts);
    this.details = details;
  }
}

/** 429, still after the retries. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
  /** How long the platform asked to wait, as it said it; undefined when it did not. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: ApiErrorFacts, retryAfterSeconds: number | undefined) {
    super(message, facts);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Any other 4xx. */
export class RequestError extends ApiError {
  override readonly name = "RequestError";
}

/** 5xx. */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
}

/** No connection, or one that broke before the whole answer was there. */
export class NetworkError extends ApiError {
  override readonly name = "NetworkError";
  /** The system's code, for example `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(message: string, facts: ApiErrorFacts, code: string | undefined) {
    super(message, facts);
    this.code = code;
  }
}

/** No whole answer within `callTimeoutSeconds`, or no connection within `connectTimeoutSeconds`. */
export class TimeoutError extends ApiError {
  override readonly name = "TimeoutError";
}

/** An answer that is not what the specification documents: another shape, HTML, a redirect, too large ... */
export class UnexpectedResponseError extends ApiError {
  override readonly name = "UnexpectedResponseError";
}

/** A proxy call failed inside the platform (specification, "Proxy": 400). */
export class ProxyInternalError extends ApiError {
  override readonly name = "ProxyInternalError";
}

/** A proxy call reached the external service, which answered with an error (specification, "Proxy"). */
export class ProxyExternalError extends ApiError {
  override readonly name = "ProxyExternalError";
  /** The external service's status, which the platform passes on as its own. */
  readonly externalStatus: number;
  /** The external service's error: parsed where the stringified object parses as JSON, else the text itself. */
  readonly detail: JsonValue;

  constructor(message: string, facts: ApiErrorFacts & { status: number }, detail: JsonValue) {
    super(message, facts);
    this.externalStatus = facts.status;
    this.detail = detail;
  }
}

/** The client was set up or called in a way that no request can be made of; nothing was sent. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
