import type { ErrorBody } from "./error-body.ts";
import type { ApiError, ApiErrorFacts } from "./errors.ts";
import { inLine } from "./in-line.ts";

/** What is known of a failed attempt when its error is made. */
export interface Failure {
  method: string;
  path: string;
  status?: number | undefined;
  /** Attempts made so far, this one included. */
  attempts: number;
  mayHaveBeenApplied: boolean;
}

/** A failed attempt that got an answer. */
export interface FailedResponse extends Failure {
  status: number;
  body: ErrorBody;
  retryAfterSeconds: number | undefined;
}

/** Makes the error of an answer, or leaves it to the next factory. */
export type ErrorFrom = (failure: FailedResponse) => ApiError | undefined;

/** `GET /v2/tenants: rate limited (status 429, after 5 attempts): slow down. Try again later.` */
export function messageOf(failure: Failure, what: string, words: string, next: string): string {
  const facts = [
    ...(failure.status === undefined ? [] : [`status ${failure.status}`]),
    ...(failure.attempts > 1 ? [`after ${failure.attempts} attempts`] : []),
  ];
  const inBrackets = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  const said = words === "" ? "." : `: ${inLine(words)}${/[.!?]$/.test(words) ? "" : "."}`;
  const caution = failure.mayHaveBeenApplied ? " It may have taken effect all the same: look before asking again." : "";
  return `${failure.method} ${failure.path}: ${what}${inBrackets}${said} ${next}${caution}`.trimEnd();
}

export function factsOf<Known extends Failure>(
  failure: Known,
  cause?: unknown,
): ApiErrorFacts & { status: Known["status"] } {
  const { method, path, status, mayHaveBeenApplied } = failure;
  return { method, path, status, mayHaveBeenApplied, cause };
}
