import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { tokenDigest } from "../acknowledge/token.ts";
import { tokensSchema } from "../schema.ts";
import type { Scope } from "./scope.ts";

/** The tokens that the receiver lets in. */
export interface Tokens {
  /** The newest, a secret. */
  readonly newest: pulumi.Output<string>;
  /** SHA-256 of each in hex, with commas between: what the acknowledging function knows of them. */
  readonly digests: pulumi.Output<string>;
}

/**
 * Keeps the tokens in Secrets Manager, where operators find them. No function may read them there: they compare
 * digests, and a digest of 128 random bits cannot be turned back.
 *
 * @throws RunError, that says how to make one, where a token is short or has characters that a URL would change.
 */
export function receiverTokens(scope: Scope, given: pulumi.Input<readonly pulumi.Input<string>[]>): Tokens {
  const tokens = pulumi.secret(pulumi.output(given).apply(checked));
  const secret = new aws.secretsmanager.Secret(
    scope.named("tokens"),
    { description: "Tokens of the webhook receiver's URL, the newest first" },
    scope.options,
  );
  new aws.secretsmanager.SecretVersion(
    scope.named("tokens"),
    { secretId: secret.id, secretString: tokens.apply((all) => JSON.stringify({ tokens: all })) },
    scope.options,
  );
  return { newest: tokens.apply(([newest]) => newest), digests: tokens.apply((all) => all.map(tokenDigest).join(",")) };
}

function checked(given: readonly string[]) {
  const { data, error } = tokensSchema.safeParse(given);
  if (data !== undefined) return data;
  throw new pulumi.RunError(
    `the webhook receiver's tokens: ${[...new Set(error.issues.map(({ message }) => message))].join("; ")}`,
  );
}
