import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { busUse } from "./bus.ts";
import { type ReceiverFunction, receiverFunction } from "./function.ts";
import { ledgerSurvey, ledgerUse } from "./ledger.ts";
import type { Scope } from "./scope.ts";
import { reconcilerTimeoutSeconds } from "./time-limits.ts";

/** What the reconciler works with. */
export interface ReconcilerSettings {
  readonly ledger: aws.dynamodb.Table;
  readonly bus: aws.cloudwatch.EventBus;
  readonly baseUrl: pulumi.Input<string>;
  readonly apiKey: pulumi.Input<string>;
  readonly everyMinutes: number;
  readonly graceSeconds: number;
  readonly logRetentionDays: number;
}

/** The function that looks, by a schedule, for tenants that came or went without a webhook. */
export function reconciler(scope: Scope, { ledger, bus, ...settings }: ReconcilerSettings): ReceiverFunction {
  const apiKey = apiKeySecret(scope, settings.apiKey);
  const made = receiverFunction(scope, {
    name: "reconcile",
    description: "Webhook receiver: finds tenants created or archived without a webhook",
    timeoutSeconds: reconcilerTimeoutSeconds,
    memoryMegabytes: 512,
    environment: {
      LEDGER_TABLE: ledger.name,
      BUS_NAME: bus.name,
      PLATFORM_BASE_URL: settings.baseUrl,
      API_KEY_SECRET_ARN: apiKey.arn,
      GRACE_SECONDS: String(settings.graceSeconds),
    },
    statements: [
      ledgerUse(ledger),
      ledgerSurvey(ledger),
      busUse(bus),
      { actions: ["secretsmanager:GetSecretValue"], resource: apiKey.arn },
    ],
    logRetentionDays: settings.logRetentionDays,
  });
  onSchedule(scope, made.lambda, settings.everyMinutes);
  return made;
}

function apiKeySecret(scope: Scope, apiKey: pulumi.Input<string>): aws.secretsmanager.Secret {
  const secret = new aws.secretsmanager.Secret(
    scope.named("api-key"),
    { description: "API key of the integration platform, with which the webhook receiver lists tenants" },
    scope.options,
  );
  new aws.secretsmanager.SecretVersion(
    scope.named("api-key"),
    { secretId: secret.id, secretString: apiKey },
    scope.options,
  );
  return secret;
}

function onSchedule(scope: Scope, lambda: aws.lambda.Function, everyMinutes: number): void {
  const schedule = new aws.cloudwatch.EventRule(
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
      sourceArn: schedule.arn,
    },
    scope.options,
  );
  new aws.cloudwatch.EventTarget(scope.named("reconcile"), { rule: schedule.name, arn: lambda.arn }, scope.options);
}
