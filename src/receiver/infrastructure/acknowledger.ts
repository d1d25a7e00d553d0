import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { environmentSchema } from "../acknowledge/lambda.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import type { CheckedArgs } from "../checked-args.ts";
import { type LedgerSettings, ledgerVariables } from "./delivery.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { createRestApi } from "./rest-api.ts";
import type { Scope } from "./scope.ts";

/**
 * Creates the function that enqueues each webhook and then answers the platform, and its public URL, without a token. The function
 * gets only the digests of the tokens: the digest of a random token cannot be reversed.
 */
export function createAcknowledger(
  scope: Scope,
  settings: LedgerSettings &
    Pick<
      CheckedArgs,
      "tokens" | "allowedSources" | "logRetentionDays" | "reservedConcurrency" | "isProtected" | "restApi"
    > & {
      readonly queue: aws.sqs.Queue;
    },
) {
  const { queue, ledger, tokens, allowedSources, isProtected } = settings;
  const created = createFunction(scope, {
    name: "acknowledge",
    description: "Webhook receiver: enqueues each webhook, then answers the platform",
    timeoutSeconds: 10, // longer than the function's own deadlines for queue and ledger, after which it answers 503
    memoryMegabytes: 512, // AWS assigns processor time by memory, and the platform is waiting
    environment: {
      QUEUE_URL: queue.url,
      ...ledgerVariables(settings),
      TOKEN_DIGESTS: tokens.apply((all) => all.map(tokenDigest).join(",")),
      ALLOWED_SOURCES: allowedSources.apply((sources) => sources.join(",")),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      { actions: ["sqs:SendMessage"], resource: queue.arn },
      { actions: ["dynamodb:PutItem"], resource: ledger.arn },
    ],
    logRetentionDays: settings.logRetentionDays,
    reservedConcurrency: settings.reservedConcurrency,
    isProtected,
  });
  // A URL of the function beside a REST API would pass by its limits and its firewall.
  const restApi = settings.restApi && createRestApi(scope, created.lambda, { ...settings.restApi, isProtected });
  return { ...created, restApi, url: restApi?.url ?? createPublicUrl(scope, created, settings) };
}

/**
 * The URL is public because the platform cannot sign its requests. The function checks the token. A public URL needs two
 * permissions (AWS Lambda, "Control access to Lambda function URLs"). The provider adds them to a new URL, and does not notice if
 * somebody removes them; declared here, `up --refresh` restores them. They come first, so that an account that refuses them refuses
 * before there is a URL (`PublicPolicyException` if it blocks public access to Lambda). `restApi` needs no public permission. No preview
 * can know of the refusal, and the provider's error has the id of the statement: so the id names the way out.
 */
function createPublicUrl(
  scope: Scope,
  { lambda }: ReceiverFunction,
  { isProtected }: { readonly isProtected: boolean },
): pulumi.Output<string> {
  const anyone = { function: lambda.name, principal: "*" };
  const statement = (what: string) => ({ statementId: `public-${what}-if-refused-set-restApi` });
  const permissions = [
    new aws.lambda.Permission(
      scope.named("url"),
      { ...anyone, ...statement("url"), action: "lambda:InvokeFunctionUrl", functionUrlAuthType: "NONE" },
      scope.options,
    ),
    new aws.lambda.Permission(
      scope.named("url-invokes"),
      { ...anyone, ...statement("invoke"), action: "lambda:InvokeFunction", invokedViaFunctionUrl: true },
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
