import { describe, expect, test } from "vitest";
import { tokensSchema } from "../../src/receiver/schema.ts";

const token = "0123456789abcdef".repeat(2);
const other = "fedcba9876543210".repeat(4);

describe("the tokens of a receiver", () => {
  test.each([[[token]], [[other, token]]])("may be one or two: %j", (tokens) => {
    expect(tokensSchema.safeParse(tokens).success).toBe(true);
  });

  test.each([
    ["none", [], /generate one with .*openssl rand -hex 32/],
    ["three", [token, other, "x".repeat(32)], /at most two/],
    ["the same twice", [token, token], /must differ/],
    ["a short one", ["0123456789abcdef"], /32 to 256 .* generate one with `openssl rand -hex 32`/],
    ["one with characters that a URL encodes", [`${token}&a=b`], /random letters, digits/],
    ["one that is not a string", [[token]], /must be a string/],
  ])("are rejected with instructions: %s", (_, tokens, reason) => {
    const { error } = tokensSchema.safeParse(tokens);
    const message = error?.issues.map((issue) => issue.message).join("; ") ?? "";
    expect(message).toMatch(reason);
    expect(message).not.toContain("0123456789abcdef");
  });
});
