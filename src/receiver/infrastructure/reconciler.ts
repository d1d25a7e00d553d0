import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { environmentSchema } from "../reconcile/lambda.ts";
import { allowLedgerAccess, allowLedgerBatchReads, allowPublishing, type DeliveryTargets } from "./delivery.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import type { Scope } from "./scope.ts";

/** What the reconciling function needs. */
export interface ReconcilerSettings extends DeliveryTargets {
  readonly baseUrl: pulumi.Input<string>;
  readonly apiKey: pulumi.Input<string>;
  readonly everyMinutes: number;
  readonly graceSeconds: number;
  readonly logRetentionDays: number;
}

/** Creates the function that finds missing webhooks, its API key and its schedule. */
export function createReconciler(
  scope: Scope,
  { baseUrl, apiKey, everyMinutes, graceSeconds, logRetentionDays, ...targets }: ReconcilerSettings,
): ReceiverFunction {
  const apiKeySecret = createApiKeySecret(scope, apiKey);
  const created = createFunction(scope, {
    name: "reconcile",
    description: "Webhook receiver: finds tenants that were created or archived without a webhook",
    timeoutSeconds: 900, // the maximum of AWS Lambda
    memoryMegabytes: 512,
    environment: {
      LEDGER_TABLE: targets.ledger.name,
      BUS_NAME: targets.bus.name,
      PLATFORM_BASE_URL: baseUrl,
      API_KEY_SECRET_ARN: apiKeySecret.arn,
      GRACE_SECONDS: String(graceSeconds),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      allowLedgerAccess(targets),
      allowLedgerBatchReads(targets),
      allowPublishing(targets),
      { actions: ["secretsmanager:GetSecretValue"], resource: apiKeySecret.arn },
    ],
    logRetentionDays,
  });
  createSchedule(scope, created.lambda, everyMinutes);
  return created;
}

function createApiKeySecret(scope: Scope, apiKey: pulumi.Input<string>): aws.secretsmanager.Secret {
  const secret = new aws.secretsmanager.Secret(
    scope.named("api-key"),
    { description: "API key of the integration platform: the webhook receiver lists tenants with it" },
    scope.options,
  );
  new aws.secretsmanager.SecretVersion(
    scope.named("api-key"),
    { secretId: secret.id, secretString: apiKey },
    scope.options,
  );
  return secret;
}

function createSchedule(scope: Scope, lambda: aws.lambda.Function, everyMinutes: number): void {
  const rule = new aws.cloudwatch.EventRule(
    scope.named("reconcile"),
    { scheduleExpression: everyMinutes === 1 ? "rate(1 minute)" : `rate(${everyMinutes} minutes)` },
    scope.options,
  );
  new aws.lambda.Permission(
    scope.named("reconcile"),
    {
      function: lambda.name,
      action: "lambda:InvokeFunction",
      principal: "events.amazonaws.com",
      sourceArn: rule.arn,
    },
    scope.options,
  );
  new aws.cloudwatch.EventTarget(scope.named("reconcile"), { rule: rule.name, arn: lambda.arn }, scope.options);
}
