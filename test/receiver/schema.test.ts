import { describe, expect, it } from "vitest";
import { tokensSchema } from "../../src/receiver/schema.ts";

const token = "0123456789abcdef".repeat(2);
const other = "fedcba9876543210".repeat(4);

describe("the tokens of a receiver", () => {
  it.each([[[token]], [[other, token]]])("may be one, or two: %j", (tokens) => {
    expect(tokensSchema.safeParse(tokens).success).toBe(true);
  });

  it.each([
    ["none", [], /make one with: pulumi config set --secret .*openssl rand -hex 32/],
    ["three", [token, other, "x".repeat(32)], /at most two/],
    ["the same twice", [token, token], /the same/],
    ["a short one", ["0123456789abcdef"], /32 to 256 .* make one with: pulumi config set/],
    ["one that a URL would change", [`${token}&a=b`], /random letters, digits/],
    ["what is no text", [[token]], /must be a text/],
  ])("are refused, with what to do: %s", (_, tokens, reason) => {
    const { error } = tokensSchema.safeParse(tokens);
    const told = error?.issues.map(({ message }) => message).join("; ") ?? "";
    expect(told).toMatch(reason);
    expect(told).not.toContain("0123456789abcdef");
  });
});
