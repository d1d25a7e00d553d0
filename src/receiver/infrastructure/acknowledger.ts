import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { sourcesSchema } from "../schema.ts";
import { type ReceiverFunction, receiverFunction } from "./function.ts";
import type { Scope } from "./scope.ts";
import { acknowledgerTimeoutSeconds } from "./time-limits.ts";

/** What the acknowledging function works with. */
export interface AcknowledgerSettings {
  readonly queue: aws.sqs.Queue;
  readonly tokenDigests: pulumi.Input<string>;
  /** Addresses and networks that may send. Empty: all. */
  readonly allowedSources: pulumi.Input<readonly pulumi.Input<string>[]>;
  readonly logRetentionDays: number;
  readonly reservedConcurrency: number | undefined;
}

/** The function that answers the platform, once the queue has what it said; and the public address it answers at. */
export function acknowledger(
  scope: Scope,
  { queue, tokenDigests, allowedSources, ...settings }: AcknowledgerSettings,
): ReceiverFunction & { readonly url: pulumi.Output<string> } {
  const made = receiverFunction(scope, {
    ...settings,
    name: "acknowledge",
    description: "Webhook receiver: keeps what the platform says, then answers",
    timeoutSeconds: acknowledgerTimeoutSeconds,
    memoryMegabytes: 512, // processor time comes with memory, and the platform is waiting
    environment: {
      QUEUE_URL: queue.url,
      TOKEN_DIGESTS: tokenDigests,
      ALLOWED_SOURCES: pulumi.output(allowedSources).apply(sourceList),
    },
    statements: [{ actions: ["sqs:SendMessage"], resource: queue.arn }],
  });
  return { ...made, url: publicUrl(scope, made.lambda) };
}

/** The platform cannot sign its requests: the address is open to all, and the token is for the function to check. */
function publicUrl(scope: Scope, lambda: aws.lambda.Function): pulumi.Output<string> {
  const url = new aws.lambda.FunctionUrl(
    scope.named("url"),
    { functionName: lambda.name, authorizationType: "NONE", invokeMode: "BUFFERED" },
    scope.options,
  );
  // A public address needs both (AWS Lambda, "Control access to Lambda function URLs", since October 2025).
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

/** Told here and now: in the function it would be an error of every webhook. */
function sourceList(sources: readonly string[]): string {
  const wrong = sources.filter((source) => !sourcesSchema.safeParse([source]).success);
  if (wrong.length === 0) return sources.join(",");
  throw new pulumi.RunError(
    `the webhook receiver's allowedSources: ${wrong.join(", ")} must be an IPv4 or IPv6 address, or a CIDR range`,
  );
}
