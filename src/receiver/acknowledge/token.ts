import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";

/** The SHA-256 digest of a token, in hex. The receiver stores digests and no tokens. */
export function tokenDigest(token: string): string {
  return sha256(token).toString("hex");
}

/** Parses one or two digests in hex, separated by a comma, the newest first. There are two during a rotation. */
export const tokenDigestsSchema = z
  .string()
  .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})?$/i, "must be one or two SHA-256 digests in hex, separated by a comma")
  .transform((digests) => digests.split(",").map((digest) => Buffer.from(digest, "hex")));

/** Which of the valid tokens a request has. `wrong`: it has tokens, and none is valid. `none`: it has no token. */
export type TokenMatch = "newest" | "older" | "wrong" | "none";

/**
 * Looks for a valid token in a query. Webhooks carry no authentication, so the URL is the shared secret (specification,
 * "Authentication"). The function compares every token of the query with every digest in constant time.
 *
 * @param digests of the valid tokens, the newest first.
 */
export function matchToken(tokens: readonly string[], digests: readonly Uint8Array[]): TokenMatch {
  const isMatched = digests.map(() => false);
  for (const token of tokens) {
    const actual = sha256(token);
    for (const [index, digest] of digests.entries()) {
      isMatched[index] = timingSafeEqual(actual, digest) || isMatched[index] === true;
    }
  }
  if (isMatched.includes(true)) return isMatched[0] === true ? "newest" : "older";
  return tokens.some((token) => token !== "") ? "wrong" : "none";
}

function sha256(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
