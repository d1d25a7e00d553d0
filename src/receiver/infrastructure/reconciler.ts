import * as aws from "@pulumi/aws";
import type { CheckedArgs } from "../checked-args.ts";
import type { environmentSchema } from "../reconcile/lambda.ts";
import { allowDelivering, type DeliveryTargets, ledgerVariables } from "./delivery.ts";
import { createFunction, createSchedule, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import type { Scope } from "./scope.ts";

/** Creates the function that finds missing webhooks, its schedule, and the secret that holds the API key of the platform. */
export function createReconciler(
  scope: Scope,
  settings: DeliveryTargets &
    Pick<CheckedArgs, "logRetentionDays" | "ledgerRetentionDays"> & {
      readonly platform: NonNullable<CheckedArgs["platform"]>;
      readonly reconciliation: NonNullable<CheckedArgs["reconciliation"]>;
    },
): ReceiverFunction {
  const { platform, reconciliation, ledger, bus, logRetentionDays } = settings;
  const secret = new aws.secretsmanager.Secret(
    scope.named("api-key"),
    { description: "API key of the integration platform: the webhook receiver reads tenants with it" },
    scope.options,
  );
  new aws.secretsmanager.SecretVersion(
    scope.named("api-key"),
    { secretId: secret.id, secretString: platform.apiKey },
    scope.options,
  );
  const created = createFunction(scope, {
    name: "reconcile",
    description: "Webhook receiver: finds tenants that were created or archived without a webhook",
    timeoutSeconds: 900, // the maximum of AWS Lambda
    memoryMegabytes: 512,
    environment: {
      ...ledgerVariables(settings),
      BUS_NAME: bus.name,
      PLATFORM_BASE_URL: platform.baseUrl,
      API_KEY_SECRET_ARN: secret.arn,
      GRACE_SECONDS: String(reconciliation.graceSeconds),
      MAXIMUM_EVENTS: String(reconciliation.maximumEvents),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      ...allowDelivering(settings),
      { actions: ["dynamodb:BatchGetItem"], resource: ledger.arn },
      { actions: ["secretsmanager:GetSecretValue"], resource: secret.arn },
    ],
    logRetentionDays,
  });
  createSchedule(scope, "reconcile", created.lambda, reconciliation.everyMinutes);
  return created;
}
