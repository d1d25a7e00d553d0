import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";

/** The SHA-256 digest of a token, in hex. The receiver stores digests and no tokens. */
export function tokenDigest(token: string): string {
  return sha256(token).toString("hex");
}

/** Parses one or two digests in hex, separated by a comma. There are two while a token is being rotated. */
export const tokenDigestsSchema = z
  .string()
  .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})?$/i, "must be one or two SHA-256 digests in hex, separated by a comma")
  .transform((digests) => digests.split(",").map((digest) => Buffer.from(digest, "hex")));

/**
 * Whether a query contains a valid `token`. Webhooks carry no authentication, so the URL is the shared secret
 * (specification, "Authentication"). The function compares every token in the query with every digest in constant time.
 */
export function hasValidToken(rawQuery: string, digests: readonly Uint8Array[]): boolean {
  let isValid = false;
  for (const token of new URLSearchParams(rawQuery).getAll("token")) {
    const actual = sha256(token);
    for (const digest of digests) isValid = timingSafeEqual(actual, digest) || isValid;
  }
  return isValid;
}

function sha256(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
