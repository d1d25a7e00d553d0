import type { JsonValue } from "../json/json-value.ts";

/** What every error of a request holds. */
export interface ApiErrorFacts {
  method: string;
  /** The path of the API, without the base URL and the query. */
  path: string;
  /** Absent where no status came back. */
  status?: number | undefined;
  mayHaveBeenApplied: boolean;
  cause?: unknown;
}

/**
 * Root of the errors of requests. The message says what failed, the method and path, the status, the platform's own message
 * and what to do next. It never holds the API key.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** The HTTP method, such as `POST`. */
  readonly method: string;
  /** The path of the API, without the base URL and the query. */
  readonly path: string;
  /** The HTTP status; undefined where none came back. */
  readonly status: number | undefined;
  /**
   * Whether the platform may have applied the request although it failed: the response was lost or invalid, or a 5xx. Check
   * before you repeat such a request. Always false for GET.
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

/** 401 or 403: the API key is missing, wrong, revoked, or of another deployment. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 404 in the form of the API's errors. For a list it means that the base URL is wrong: an empty list is a 200. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/**
 * The platform of this account has no such operation, although the specification or another account has it: 405, or a 404 that is
 * not about a record. Updates of tenants, the release of a tenant, and the list of its runs may be missing.
 */
export class OperationMissingError extends ApiError {
  override readonly name = "OperationMissingError";
}

/** One problem that the platform found in a request. */
export interface ErrorDetail {
  /** The field, for example `configs.region`, without a leading `body`; empty where the platform named none. */
  path: string;
  /** What is wrong with the field, in the platform's words. */
  message: string;
}

/** 400 or 422: the platform refused the request as invalid. */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
  /** Each problem that the platform named; empty if it named none. */
  readonly details: readonly ErrorDetail[];

  constructor(message: string, facts: ApiErrorFacts, details: readonly ErrorDetail[]) {
    super(message, facts);
    this.details = details;
  }
}

/** 429, for the last attempt too. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
  /** The response's `Retry-After`, not capped; undefined where it has none. */
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

/** No connection, or a connection that broke before the response was complete. */
export class NetworkError extends ApiError {
  override readonly name = "NetworkError";
  /** The system's code, for example `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(message: string, facts: ApiErrorFacts, code: string | undefined) {
    super(message, facts);
    this.code = code;
  }
}

/** No complete response within `callTimeoutSeconds`, or no connection within `connectTimeoutSeconds`. */
export class TimeoutError extends ApiError {
  override readonly name = "TimeoutError";
}

/**
 * A response that the specification does not document: of another shape, HTML, a redirect, too large. Also a 404 in another form
 * than that of the API's errors, such as an ingress sends it.
 */
export class UnexpectedResponseError extends ApiError {
  override readonly name = "UnexpectedResponseError";
}

/** 400 of a proxy call: it failed inside the platform (specification, "Proxy"). */
export class ProxyInternalError extends ApiError {
  override readonly name = "ProxyInternalError";
}

/** A proxy call reached the external service, which responded with an error (specification, "Proxy"). */
export class ProxyExternalError extends ApiError {
  override readonly name = "ProxyExternalError";
  /** The external service's status, which the platform passes on as its own. */
  readonly externalStatus: number;
  /** The external service's error: parsed where it is JSON in a string, else the string. */
  readonly detail: JsonValue;

  constructor(message: string, facts: ApiErrorFacts & { status: number }, detail: JsonValue) {
    super(message, facts);
    this.externalStatus = facts.status;
    this.detail = detail;
  }
}

/** The caller's `signal` was aborted before the work began, or while it waited. What was sent before is finished. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";

  constructor() {
    super("the operation was cancelled before this was done. Run the command again: it does what is left");
  }
}

/** The client's options or the arguments of a call are wrong, or the client is closed; no request was sent. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
