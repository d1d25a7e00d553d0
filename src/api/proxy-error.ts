import { isJsonObject } from "../json/json-value.ts";
import { type ApiError, ProxyExternalError, ProxyInternalError } from "./errors.ts";
import { errorFacts, errorMessage, type FailedResponse } from "./failed-attempt.ts";

/**
 * Creates the errors of proxy calls (specification, "Proxy bodies"), whose `detail` is a string. The error is the external
 * service's where the string holds a JSON object with `data`, or where the platform itself never responds with this status.
 */
export function proxyErrorFrom(failed: FailedResponse): ApiError | undefined {
  const { status, body } = failed;
  const { detail } = body;
  if (detail === undefined) return undefined;
  if ((isJsonObject(detail) && "data" in detail) || !ownStatuses.includes(status)) {
    const next = "Correct the call for that service.";
    const message = errorMessage(failed, "the external service refused the call", body.message, next);
    return new ProxyExternalError(message, { ...errorFacts(failed), status }, detail);
  }
  if (status === 400) {
    // The platform may have failed after the external service applied the call.
    const uncertain = { ...failed, mayHaveBeenApplied: true };
    const what = "the platform could not make the call";
    const message = errorMessage(uncertain, what, body.message, "Check the connector.");
    return new ProxyInternalError(message, errorFacts(uncertain));
  }
  return undefined;
}

/** The statuses of the platform itself on these endpoints. */
const ownStatuses = [400, 401, 403, 422];
