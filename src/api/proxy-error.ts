import { type ApiError, ProxyExternalError, ProxyInternalError } from "./errors.ts";
import { type FailedResponse, factsOf, messageOf } from "./failure.ts";
import { isJsonObject, type JsonValue, parseJson } from "./json.ts";
import { anyJsonValue } from "./wire-schema.ts";

/**
 * The errors of proxy calls (specification, "Proxy bodies"): a `detail` that is a string. Whether it is the platform's or the external
 * service's is told by its content where it holds an object with `data`, whatever the status, else by the status.
 */
export function proxyErrorFrom(failure: FailedResponse): ApiError | undefined {
  const { status, body } = failure;
  if (body.detailText === undefined) {
    return undefined;
  }
  const detail = parseDetail(body.detailText);
  if ((isJsonObject(detail) && "data" in detail) || !ownStatuses.includes(status)) {
    const message = messageOf(
      failure,
      "the external service refused the call",
      body.words,
      "Correct the call for that service.",
    );
    return new ProxyExternalError(message, { ...factsOf(failure), status }, detail);
  }
  if (status === 400) {
    // The call may have failed on its way back as well.
    const uncertain = { ...failure, mayHaveBeenApplied: true };
    const message = messageOf(uncertain, "the platform could not make the call", body.words, "Check the connector.");
    return new ProxyInternalError(message, factsOf(uncertain));
  }
  return undefined;
}

/** What the platform itself answers on these endpoints. */
const ownStatuses = [400, 401, 403, 422];

function parseDetail(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed.isJson ? (anyJsonValue.safeParse(parsed.value).data ?? text) : text;
}
