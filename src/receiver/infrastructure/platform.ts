import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { Statement } from "./role.ts";
import type { Scope } from "./scope.ts";

/** The platform as the functions read it. */
export interface Platform {
  readonly baseUrl: pulumi.Output<string>;
  /** Holds the API key. */
  readonly apiKeySecret: aws.secretsmanager.Secret;
}

/** Stores the API key of the platform, which the functions read at each use. */
export function createPlatform(
  scope: Scope,
  { baseUrl, apiKey }: { readonly baseUrl: pulumi.Output<string>; readonly apiKey: pulumi.Output<string> },
): Platform {
  const apiKeySecret = new aws.secretsmanager.Secret(
    scope.named("api-key"),
    { description: "API key of the integration platform: the webhook receiver reads tenants with it" },
    scope.options,
  );
  new aws.secretsmanager.SecretVersion(
    scope.named("api-key"),
    { secretId: apiKeySecret.id, secretString: apiKey },
    scope.options,
  );
  return { baseUrl, apiKeySecret };
}

/** The environment variables of a function that reads the platform. */
export function platformVariables({ baseUrl, apiKeySecret }: Platform) {
  return { PLATFORM_BASE_URL: baseUrl, API_KEY_SECRET_ARN: apiKeySecret.arn };
}

/** Allows a function to read the API key. */
export function allowApiKeyAccess({ apiKeySecret }: Platform): Statement {
  return { actions: ["secretsmanager:GetSecretValue"], resource: apiKeySecret.arn };
}
