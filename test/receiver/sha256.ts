import { createHash } from "node:crypto";

/** The SHA-256 digest of a string in hex, computed apart from the code under test. */
export function sha256(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

/** The digest of a JSON value after sorting the keys of its objects at every depth. */
export function sha256OfJson(value: unknown): string {
  return sha256(JSON.stringify(sortKeys(value)));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(Object(value)[key])]));
}
