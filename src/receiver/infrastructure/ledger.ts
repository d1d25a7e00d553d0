import * as aws from "@pulumi/aws";
import type { Statement } from "./role.ts";
import type { Scope } from "./scope.ts";

/**
 * The table that holds every event. It is the only copy of what the platform says once: it can be restored to any
 * second of the last 35 days, and it outlives a hasty `destroy` unless its protection was taken off before.
 */
export function eventLedger(scope: Scope, { isProtected }: { readonly isProtected: boolean }): aws.dynamodb.Table {
  return new aws.dynamodb.Table(
    scope.named("ledger"),
    {
      billingMode: "PAY_PER_REQUEST",
      hashKey: "pk",
      rangeKey: "sk",
      attributes: [
        { name: "pk", type: "S" },
        { name: "sk", type: "S" },
      ],
      serverSideEncryption: { enabled: true },
      pointInTimeRecovery: { enabled: true },
      deletionProtectionEnabled: isProtected,
    },
    // AWS refuses whoever asks; Pulumi in the preview already, before anything else is deleted.
    { ...scope.options, protect: isProtected },
  );
}

/** What the consumer does with the ledger, and the reconciler too. Nobody deletes. */
export function ledgerUse(table: aws.dynamodb.Table): Statement {
  return { actions: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], resource: table.arn };
}

/** What the reconciler does besides: it asks for many tenants at once. */
export function ledgerSurvey(table: aws.dynamodb.Table): Statement {
  return { actions: ["dynamodb:BatchGetItem"], resource: table.arn };
}
