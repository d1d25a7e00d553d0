import * as z from "zod";

/** How to make a token and hand it over. */
const howToMakeOne =
  'pulumi config set --secret --path "integration-platform:webhookReceiver.tokens[0]" "$(openssl rand -hex 32)"';

/** A token of the receiver's URL: at least 128 bits in hex, in characters that a URL leaves alone. */
const tokenSchema = z
  .string(`a token must be a text; make one with: ${howToMakeOne}`)
  .regex(
    /^[A-Za-z0-9_-]{32,256}$/,
    `a token has 32 to 256 random letters, digits, "-" and "_"; make one with: ${howToMakeOne}`,
  );

/** The tokens that are let in, the newest first: one, or while one replaces the other, two. */
export const tokensSchema = z
  .tuple([tokenSchema], z.union([tokenSchema]))
  .refine((tokens) => tokens.length <= 2, "at most two tokens are valid at a time")
  .refine((tokens) => new Set(tokens).size === tokens.length, "the two tokens are the same");
