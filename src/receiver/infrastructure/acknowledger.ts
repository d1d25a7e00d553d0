import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { environmentSchema } from "../acknowledge/lambda.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import type { CheckedRestApi } from "../checked-args.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { createRestApi, type RestApi } from "./rest-api.ts";
import type { Scope } from "./scope.ts";

/** What the acknowledging function needs. */
export interface AcknowledgerSettings {
  readonly queue: aws.sqs.Queue;
  /** The valid tokens. The function gets only their digests: the digest of a random token cannot be reversed. */
  readonly tokens: pulumi.Output<readonly string[]>;
  /** Addresses and networks that may send webhooks. An empty list allows every source. */
  readonly allowedSources: pulumi.Output<readonly string[]>;
  readonly logRetentionDays: number;
  readonly reservedConcurrency: number | undefined;
  readonly isProtected: boolean;
  /** The REST API in front of the function. Without it the function's own URL is public. */
  readonly restApi: CheckedRestApi | undefined;
}

/** The acknowledging function and where the platform reaches it. */
export interface Acknowledger extends ReceiverFunction {
  /** The public URL, without a token. */
  readonly url: pulumi.Output<string>;
  readonly restApi: RestApi | undefined;
}

/** Creates the function that enqueues each webhook and then answers the platform, and its public URL. */
export function createAcknowledger(
  scope: Scope,
  { queue, tokens, allowedSources, restApi: restApiSettings, ...settings }: AcknowledgerSettings,
): Acknowledger {
  const created = createFunction(scope, {
    ...settings,
    name: "acknowledge",
    description: "Webhook receiver: enqueues each webhook, then answers the platform",
    timeoutSeconds: 10, // longer than the function's own deadline, after which it answers 503
    memoryMegabytes: 512, // AWS assigns processor time by memory, and the platform is waiting
    environment: {
      QUEUE_URL: queue.url,
      TOKEN_DIGESTS: tokens.apply((all) => all.map(tokenDigest).join(",")),
      ALLOWED_SOURCES: allowedSources.apply((sources) => sources.join(",")),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [{ actions: ["sqs:SendMessage"], resource: queue.arn }],
  });
  // A URL of the function beside a REST API would pass by its limits and its firewall.
  const restApi =
    restApiSettings && createRestApi(scope, created.lambda, { ...restApiSettings, isProtected: settings.isProtected });
  return { ...created, restApi, url: restApi?.url ?? createPublicUrl(scope, created, settings) };
}

/**
 * The URL is public because the platform cannot sign its requests. The function checks the token. The provider adds the two
 * permissions that a public URL needs since October 2025 (AWS Lambda, "Control access to Lambda function URLs";
 * terraform-provider-aws, pull request 44858).
 */
function createPublicUrl(
  scope: Scope,
  { lambda }: ReceiverFunction,
  { isProtected }: { readonly isProtected: boolean },
): pulumi.Output<string> {
  const url = new aws.lambda.FunctionUrl(
    scope.named("url"),
    { functionName: lambda.name, authorizationType: "NONE", invokeMode: "BUFFERED" },
    { ...scope.options, protect: isProtected }, // another URL would have to be entered in the management console
  );
  return url.functionUrl;
}
