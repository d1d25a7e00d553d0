import { createHash } from "node:crypto";

/** The SHA-256 digest of a text, in hex, as any other program would tell it. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The digest of a JSON value whose objects have their keys in alphabetical order, at any depth. */
export function sha256OfJson(value: unknown): string {
  return sha256(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(Object(value)[key])]));
}
