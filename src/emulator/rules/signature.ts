import { createHmac, timingSafeEqual } from "node:crypto";

/** The signature of a text, for links that need no API key. */
export function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

export function isSignature(key: string, text: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, text));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
