import { createHash } from "node:crypto";

/** SHA-256 of a JSON value, in hex. The order of keys does not count. Tells whether a value has changed without a copy of it. */
export function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value ?? null, sortKeys))
    .digest("hex");
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
