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

/** The least strength of a token, in bits. Nobody can guess 96 random bits over the network. */
const minTokenBits = 96;

/** Whether a token may be random. A token that somebody typed, or that repeats a short string, is too weak. */
export function isStrongToken(token: string): boolean {
  return tokenBits(token) >= minTokenBits;
}

/**
 * Estimates how many random bits a token has at most. It is the entropy of the token's characters, or that of the
 * differences between neighbours if it is less (`abcdef...`), times the length; of a string that the token repeats
 * (`0f0f...`), only the first one counts. 32 random hex digits have about 115 such bits, 64 have about 245.
 */
function tokenBits(token: string): number {
  const codes = Array.from(token, (character) => character.codePointAt(0) ?? 0);
  const differences = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return Math.min(entropy(codes), entropy(differences)) * lengthWithoutRepetition(token);
}

/** The Shannon entropy of one of the values, in bits. */
function entropy(values: readonly number[]): number {
  const groups = [...Map.groupBy(values, (value) => value).values()];
  const shares = groups.map((group) => group.length / values.length);
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
}

function lengthWithoutRepetition(token: string): number {
  for (let length = 1; length <= token.length / 2; length++) {
    if (token.startsWith(token.slice(length))) return length;
  }
  return token.length;
}
