import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { environmentSchema } from "../acknowledge/lambda.ts";
import { sourcesSchema } from "../schema.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import type { Scope } from "./scope.ts";

/** What the acknowledging function needs. */
export interface AcknowledgerSettings {
  readonly queue: aws.sqs.Queue;
  readonly tokenDigests: pulumi.Input<string>;
  /** Addresses and networks that may send webhooks. An empty list allows every source. */
  readonly allowedSources: pulumi.Input<readonly pulumi.Input<string>[]>;
  readonly logRetentionDays: number;
  readonly reservedConcurrency: number | undefined;
}

/** Creates the function that enqueues each webhook and then answers the platform, and its public URL. */
export function createAcknowledger(
  scope: Scope,
  { queue, tokenDigests, allowedSources, ...settings }: AcknowledgerSettings,
): ReceiverFunction & { readonly url: pulumi.Output<string> } {
  const created = createFunction(scope, {
    ...settings,
    name: "acknowledge",
    description: "Webhook receiver: enqueues each webhook, then answers the platform",
    timeoutSeconds: 10, // longer than the function's own deadline, after which it answers 503
    memoryMegabytes: 512, // AWS assigns processor time by memory, and the platform is waiting
    environment: {
      QUEUE_URL: queue.url,
      TOKEN_DIGESTS: tokenDigests,
      ALLOWED_SOURCES: pulumi.output(allowedSources).apply(joinSources),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [{ actions: ["sqs:SendMessage"], resource: queue.arn }],
  });
  return { ...created, url: createPublicUrl(scope, created.lambda) };
}

/** The URL is public because the platform cannot sign its requests. The function checks the token. */
function createPublicUrl(scope: Scope, lambda: aws.lambda.Function): pulumi.Output<string> {
  const url = new aws.lambda.FunctionUrl(
    scope.named("url"),
    { functionName: lambda.name, authorizationType: "NONE", invokeMode: "BUFFERED" },
    scope.options,
  );
  // Since October 2025 a public URL needs both (AWS Lambda, "Control access to Lambda function URLs").
  const anyone = { function: lambda.name, principal: "*" } as const;
  new aws.lambda.Permission(
    scope.named("url-is-public"),
    { ...anyone, action: "lambda:InvokeFunctionUrl", functionUrlAuthType: "NONE" },
    scope.options,
  );
  new aws.lambda.Permission(
    scope.named("url-invokes"),
    { ...anyone, action: "lambda:InvokeFunction", invokedViaFunctionUrl: true },
    scope.options,
  );
  return url.functionUrl;
}

/** Checks the sources during deployment: a wrong one would make the function fail every webhook. */
function joinSources(sources: readonly string[]): string {
  const invalid = sources.filter((source) => !sourcesSchema.safeParse([source]).success);
  if (invalid.length === 0) return sources.join(",");
  throw new pulumi.RunError(
    `the webhook receiver's allowedSources are invalid: ${invalid.join(", ")} must be an IPv4 or IPv6 address, or a CIDR range`,
  );
}
