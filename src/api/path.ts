import { ConfigurationError } from "./errors.ts";

/**
 * Builds a path of the API, each value encoded as one segment.
 *
 * @example path`/v2/tenants/${7}/connectors/${"a/b"}/call` // "/v2/tenants/7/connectors/a%2Fb/call"
 * @throws ConfigurationError for a value that cannot be a segment: it would address something else than what was meant.
 */
export function path(literals: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return values.reduce<string>(
    (soFar, value, index) => soFar + segmentOf(value) + (literals[index + 1] ?? ""),
    literals[0] ?? "",
  );
}

function segmentOf(value: string | number): string {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new ConfigurationError(`An id has to be an integer, not ${value}; no request was made.`);
  }
  const text = String(value);
  const isSegment = text !== "" && text !== "." && text !== ".." && text.isWellFormed();
  if (!isSegment) {
    throw new ConfigurationError(
      `${JSON.stringify(text)} cannot be a part of a path of the API; no request was made. Give an id or a name.`,
    );
  }
  return encodeURIComponent(text);
}
