import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { tokenDigest } from "../acknowledge/token.ts";
import { tokensSchema } from "../schema.ts";
import type { Scope } from "./scope.ts";

/** The valid tokens of the receiver. */
export interface Tokens {
  /** The newest token, a secret. */
  readonly newest: pulumi.Output<string>;
  /** The SHA-256 digests of all tokens in hex, separated by commas. */
  readonly digests: pulumi.Output<string>;
}

/**
 * Stores the tokens in Secrets Manager for operators. No function may read them there: the acknowledging function gets
 * digests, and the digest of 128 random bits cannot be reversed.
 *
 * @throws RunError if a token is too short or has characters that a URL would change. It explains how to make one.
 */
export function createTokens(scope: Scope, args: pulumi.Input<readonly pulumi.Input<string>[]>): Tokens {
  const tokens = pulumi.secret(pulumi.output(args).apply(checkTokens));
  const secret = new aws.secretsmanager.Secret(
    scope.named("tokens"),
    { description: "Tokens in the URL of the webhook receiver, the newest first" },
    scope.options,
  );
  new aws.secretsmanager.SecretVersion(
    scope.named("tokens"),
    { secretId: secret.id, secretString: tokens.apply((all) => JSON.stringify({ tokens: all })) },
    scope.options,
  );
  return { newest: tokens.apply(([newest]) => newest), digests: tokens.apply((all) => all.map(tokenDigest).join(",")) };
}

function checkTokens(tokens: readonly string[]) {
  const { data, error } = tokensSchema.safeParse(tokens);
  if (data !== undefined) return data;
  const messages = new Set(error.issues.map(({ message }) => message));
  throw new pulumi.RunError(`the webhook receiver's tokens are invalid: ${[...messages].join("; ")}`);
}
