import * as aws from "@pulumi/aws";
import type { CheckedArgs } from "../checked-args.ts";
import type { Statement } from "./function.ts";
import type { Scope } from "./scope.ts";

/** Where the consumer and the reconciler deliver events to. */
export interface DeliveryTargets {
  readonly ledger: aws.dynamodb.Table;
  readonly bus: aws.cloudwatch.EventBus;
}

/**
 * The index of the events by time: one partition for each day (UTC). It has what a list of events shows, and no bodies.
 * Items without `day` are not in it.
 */
const byTime = {
  name: "byTime",
  keySchemas: [
    { attributeName: "day", keyType: "HASH" },
    { attributeName: "receivedAt", keyType: "RANGE" },
  ],
  projectionType: "INCLUDE",
  nonKeyAttributes: ["status", "sourceIp", "reconciled", "kind", "eventType", "tenantId", "runId"],
};

/**
 * Creates the table that holds every event. The platform sends each event once, so the table is the only copy: it can be
 * restored to any second of the last 35 days, and with protection neither Pulumi nor AWS deletes it.
 */
export function createLedger(scope: Scope, { isProtected }: { readonly isProtected: boolean }): aws.dynamodb.Table {
  return new aws.dynamodb.Table(
    scope.named("ledger"),
    {
      billingMode: "PAY_PER_REQUEST",
      hashKey: "pk",
      rangeKey: "sk",
      attributes: [
        { name: "pk", type: "S" },
        { name: "sk", type: "S" },
        { name: "day", type: "S" },
        { name: "receivedAt", type: "S" },
      ],
      globalSecondaryIndexes: [byTime],
      ttl: { attributeName: "expiration", enabled: true },
      // DynamoDB encrypts each table with a key of its own, without costs. A key of AWS KMS is billed by the request.
      pointInTimeRecovery: { enabled: true },
      deletionProtectionEnabled: isProtected,
    },
    // AWS refuses every deletion. Pulumi refuses in the preview, before it deletes anything else.
    { ...scope.options, protect: isProtected },
  );
}

/** Creates the bus that events are published on. Users attach their own rules to it. */
export function createBus(scope: Scope): aws.cloudwatch.EventBus {
  return new aws.cloudwatch.EventBus(
    scope.named("bus"),
    { description: "Events of the integration platform" },
    scope.options,
  );
}

/** Creates the archive of the bus. It can replay the events of a period, for all rules or for one. */
export function createArchive(scope: Scope, bus: aws.cloudwatch.EventBus, days: number): aws.cloudwatch.EventArchive {
  return new aws.cloudwatch.EventArchive(
    scope.named("archive"),
    {
      description: "Events of the integration platform",
      eventSourceArn: bus.arn,
      retentionDays: days,
    },
    scope.options,
  );
}

/** The ledger as a function writes it. */
export type LedgerSettings = Pick<DeliveryTargets, "ledger"> & Pick<CheckedArgs, "ledgerRetentionDays">;

/** The environment variables of a function that writes to the ledger. */
export function ledgerVariables({ ledger, ledgerRetentionDays }: LedgerSettings) {
  return {
    LEDGER_TABLE: ledger.name,
    ...(ledgerRetentionDays !== undefined && { LEDGER_RETENTION_DAYS: String(ledgerRetentionDays) }),
  };
}

/** Allows a function to deliver events: to write and read single items of the ledger, and to publish. No function may delete items. */
export function allowDelivering({ ledger, bus }: DeliveryTargets): Statement[] {
  return [
    { actions: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], resource: ledger.arn },
    { actions: ["events:PutEvents"], resource: bus.arn },
  ];
}
