import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { matchToken, tokenDigest, tokenDigestsSchema } from "../../../src/receiver/acknowledge/token.ts";

test("a digest is the SHA-256 of the token, and matches it", () => {
  const digest = tokenDigest("a-token");
  expect(digest).toBe(createHash("sha256").update("a-token").digest("hex"));
  expect(matchToken(["a-token"], tokenDigestsSchema.parse(`${tokenDigest("newer")},${digest}`))).toBe("older");
});
