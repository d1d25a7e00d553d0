import { withoutControlCharacters } from "../json/one-line.ts";
import type { ErrorBody } from "./error-body.ts";
import type { ApiError, ApiErrorFacts } from "./errors.ts";

/** A failed attempt, from which its error is made. */
export interface FailedAttempt {
  method: string;
  path: string;
  status?: number | undefined;
  /** Attempts made so far, this one included. */
  attempts: number;
  mayHaveBeenApplied: boolean;
}

/** A failed attempt with a response. */
export interface FailedResponse extends FailedAttempt {
  status: number;
  body: ErrorBody;
  retryAfterSeconds: number | undefined;
}

/** Creates the error of a response, or returns undefined to leave it to the next factory. */
export type ErrorFactory = (failed: FailedResponse) => ApiError | undefined;

/**
 * Builds the message of an error.
 *
 * @example `GET /v2/tenants: rate limited (status 429, after 5 attempts): slow down. Try again later.`
 * @param what what failed.
 * @param reason the platform's or the system's own message; may be empty.
 * @param next what the user should do, as sentences.
 */
export function errorMessage(failed: FailedAttempt, what: string, reason: string, next: string): string {
  const facts = [
    ...(failed.status === undefined ? [] : [`status ${failed.status}`]),
    ...(failed.attempts > 1 ? [`after ${failed.attempts} attempts`] : []),
  ];
  const inBrackets = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  const why = reason === "" ? "." : `: ${withoutControlCharacters(reason)}${/[.!?]$/.test(reason) ? "" : "."}`;
  const caution = failed.mayHaveBeenApplied ? " The request may have taken effect: check before you repeat it." : "";
  return `${failed.method} ${failed.path}: ${what}${inBrackets}${why} ${next}${caution}`.trimEnd();
}

export function errorFacts<Failed extends FailedAttempt>(
  failed: Failed,
  cause?: unknown,
): ApiErrorFacts & { status: Failed["status"] } {
  const { method, path, status, mayHaveBeenApplied } = failed;
  return { method, path, status, mayHaveBeenApplied, cause };
}
