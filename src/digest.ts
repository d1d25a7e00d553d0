import { createHash } from "node:crypto";

/** SHA-256 of a JSON value, in hex: tells whether it has changed, without a copy of it. The order of keys does not count. */
export function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value ?? null, byKey))
    .digest("hex");
}

function byKey(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
