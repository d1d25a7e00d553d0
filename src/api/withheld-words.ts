import type { ErrorBody } from "./error-body.ts";
import { formatPath } from "./wire-schema.ts";

/** What is said in place of a server's own words where they may repeat a secret that is too short to be found in them. */
export const withheldWords = "the platform's words are withheld, as they may repeat a short secret that was sent";

/** The body without the server's own words. Which of the sent values it names is told all the same: those are our own keys. */
export function withoutWords(body: ErrorBody, sent: unknown): ErrorBody {
  const sentPaths = new Set(pathsIn(sent, []).map(formatPath));
  const named = [...new Set(body.details.map(({ path }) => path))].filter((path) => sentPaths.has(path));
  const details = named.map((path) => ({ path, message: withheldWords }));
  const words = named.length === 0 ? withheldWords : `${named.join(", ")}: ${withheldWords}`;
  return { ...body, words, details, detailText: undefined };
}

function pathsIn(value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [...(path.length === 0 ? [] : [path]), ...keys.flatMap(([key, item]) => pathsIn(item, [...path, key]))];
}
