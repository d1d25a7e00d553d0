import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { environmentSchema } from "../acknowledge/lambda.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import type { CheckedRestApi } from "../checked-args.ts";
import { type LedgerSettings, ledgerVariables } from "./delivery.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { createRestApi, type RestApi } from "./rest-api.ts";
import type { Scope } from "./scope.ts";

/** What the acknowledging function needs. */
export interface AcknowledgerSettings extends LedgerSettings {
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
  {
    queue,
    ledger,
    ledgerRetentionDays,
    tokens,
    allowedSources,
    restApi: restApiSettings,
    ...settings
  }: AcknowledgerSettings,
): Acknowledger {
  const created = createFunction(scope, {
    ...settings,
    name: "acknowledge",
    description: "Webhook receiver: enqueues each webhook, then answers the platform",
    timeoutSeconds: 10, // longer than the function's own deadlines for queue and ledger, after which it answers 503
    memoryMegabytes: 512, // AWS assigns processor time by memory, and the platform is waiting
    environment: {
      QUEUE_URL: queue.url,
      ...ledgerVariables({ ledger, ledgerRetentionDays }),
      TOKEN_DIGESTS: tokens.apply((all) => all.map(tokenDigest).join(",")),
      ALLOWED_SOURCES: allowedSources.apply((sources) => sources.join(",")),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      { actions: ["sqs:SendMessage"], resource: queue.arn },
      { actions: ["dynamodb:PutItem"], resource: ledger.arn },
    ],
  });
  // A URL of the function beside a REST API would pass by its limits and its firewall.
  const restApi =
    restApiSettings && createRestApi(scope, created.lambda, { ...restApiSettings, isProtected: settings.isProtected });
  return { ...created, restApi, url: restApi?.url ?? createPublicUrl(scope, created, settings) };
}

/**
 * The URL is public because the platform cannot sign its requests. The function checks the token. A public URL needs two
 * permissions (AWS Lambda, "Control access to Lambda function URLs"). The provider adds them to a new URL, and does not notice if
 * somebody removes them; declared here, `up --refresh` restores them. They come first, so that an account that refuses them refuses
 * before there is a URL (`PublicPolicyException` if it blocks public access to Lambda). `restApi` needs no public permission.
 */
function createPublicUrl(
  scope: Scope,
  { lambda }: ReceiverFunction,
  { isProtected }: { readonly isProtected: boolean },
): pulumi.Output<string> {
  const anyone = { function: lambda.name, principal: "*" };
  const permissions = [
    new aws.lambda.Permission(
      scope.named("url"),
      { ...anyone, action: "lambda:InvokeFunctionUrl", functionUrlAuthType: "NONE" },
      scope.options,
    ),
    new aws.lambda.Permission(
      scope.named("url-invokes"),
      { ...anyone, action: "lambda:InvokeFunction", invokedViaFunctionUrl: true },
      scope.options,
    ),
  ];
  const url = new aws.lambda.FunctionUrl(
    scope.named("url"),
    { functionName: lambda.name, authorizationType: "NONE", invokeMode: "BUFFERED" },
    // Another URL would have to be entered in the management console.
    { ...scope.options, protect: isProtected, dependsOn: permissions },
  );
  return url.functionUrl;
}
