import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";

/** The SHA-256 digest of a token, in hex: what the receiver knows of it. */
export function tokenDigest(token: string): string {
  return sha256(token).toString("hex");
}

/** One or two digests in hex, with a comma between: two while a token is being rotated. */
export const tokenDigestsSchema = z
  .string()
  .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})?$/i, "must be one or two SHA-256 digests in hex, with a comma between")
  .transform((text) => text.split(",").map((digest) => Buffer.from(digest, "hex")));

/**
 * Whether a query holds a valid `token`. Webhooks carry no authentication, so that the URL is the shared secret
 * (specification, "Authentication"). Every token given is compared with every digest, each in constant time.
 */
export function hasValidToken(rawQuery: string, digests: readonly Uint8Array[]): boolean {
  let isValid = false;
  for (const token of new URLSearchParams(rawQuery).getAll("token")) {
    const given = sha256(token);
    for (const digest of digests) isValid = timingSafeEqual(given, digest) || isValid;
  }
  return isValid;
}

function sha256(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
