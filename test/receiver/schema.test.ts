import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { tokensSchema } from "../../src/receiver/schema.ts";
import { sha256 } from "./sha256.ts";

const token = sha256("a token");
const other = sha256("another token");

describe("the tokens of a receiver", () => {
  test.each([
    ["one", [token]],
    ["two", [other, token]],
    ["32 random hex digits", ["1f6b9e0c47d2a8357be41c09f6d83a52"]],
    ["a random UUID without dashes", ["c9bf9e5712f84c5ca0c2a3a1f1a0c4a7"]],
    ["as the local receiver makes them", [randomBytes(24).toString("base64url")]],
  ])("may be: %s", (_, tokens) => {
    expect(tokensSchema.safeParse(tokens).success).toBe(true);
  });

  test.each([
    ["none", [], /generate one with .*openssl rand -hex 32/],
    ["three", [token, other, sha256("third")], /at most two/],
    ["the same twice", [token, token], /must differ/],
    ["a short one", [token.slice(0, 16)], /32 to 256 .* generate one with `openssl rand -hex 32`/],
    ["one with characters that a URL encodes", [`${token}&a=b`], /random letters, digits/],
    ["one that is not a string", [[token]], /must be a string/],
    ["one character", ["a".repeat(256)], /can be guessed/],
    ["two characters", ["0f".repeat(32)], /can be guessed/],
    ["a sequence", ["0123456789abcdef".repeat(16)], /can be guessed/],
    ["a sequence backwards", ["zyxwvutsrqponmlkjihgfedcba9876543210"], /can be guessed/],
    ["a word many times", ["change-me-".repeat(20)], /can be guessed/],
    ["a few random digits many times", ["d41d8cd9".repeat(8)], /can be guessed/],
  ])("are rejected with instructions: %s", (_, tokens, reason) => {
    const { error } = tokensSchema.safeParse(tokens);
    const message = error?.issues.map((issue) => issue.message).join("; ") ?? "";
    expect(message).toMatch(reason);
    for (const quoted of tokens.flat()) expect(message).not.toContain(quoted);
  });
});
