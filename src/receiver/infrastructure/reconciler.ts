import type { environmentSchema } from "../reconcile/lambda.ts";
import {
  allowLedgerAccess,
  allowLedgerBatchReads,
  allowPublishing,
  type DeliveryTargets,
  deliveryVariables,
} from "./delivery.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { allowApiKeyAccess, type Platform, platformVariables } from "./platform.ts";
import { createSchedule } from "./schedule.ts";
import type { Scope } from "./scope.ts";

/** What the reconciling function needs. */
export interface ReconcilerSettings extends DeliveryTargets {
  readonly platform: Platform;
  readonly everyMinutes: number;
  readonly graceSeconds: number;
  readonly maximumEvents: number;
  readonly logRetentionDays: number;
  /** How long the ledger retains events. Default: for ever. */
  readonly ledgerRetentionDays: number | undefined;
}

/** Creates the function that finds missing webhooks, and its schedule. */
export function createReconciler(
  scope: Scope,
  {
    platform,
    everyMinutes,
    graceSeconds,
    maximumEvents,
    logRetentionDays,
    ledgerRetentionDays,
    ...targets
  }: ReconcilerSettings,
): ReceiverFunction {
  const created = createFunction(scope, {
    name: "reconcile",
    description: "Webhook receiver: finds tenants that were created or archived without a webhook",
    timeoutSeconds: 900, // the maximum of AWS Lambda
    memoryMegabytes: 512,
    environment: {
      ...deliveryVariables({ ...targets, ledgerRetentionDays }),
      ...platformVariables(platform),
      GRACE_SECONDS: String(graceSeconds),
      MAXIMUM_EVENTS: String(maximumEvents),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      allowLedgerAccess(targets),
      allowLedgerBatchReads(targets),
      allowPublishing(targets),
      allowApiKeyAccess(platform),
    ],
    logRetentionDays,
  });
  createSchedule(scope, "reconcile", created.lambda, everyMinutes);
  return created;
}
