/**
 * Handlers that handle an event once, although it may arrive more often. This entry point needs
 * `@aws-lambda-powertools/idempotency`, `@aws-sdk/client-dynamodb` and `@aws-sdk/lib-dynamodb`.
 *
 * @module
 */
import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";
import type { BusInvocation } from "../events/index.ts";

/** Where a handler remembers the events that it has handled. */
export interface IdempotencyOptions {
  /** The name of the receiver's ledger, which usually comes from an environment variable. */
  readonly tableName: string | undefined;
  /**
   * For how many days the handler remembers an event. Default 30: the receiver's queues may repeat an event after 28 days,
   * if its message was in the dead-letter queue for 14 days, was redriven, and failed again.
   */
  readonly retentionDays?: number | undefined;
}

/** The part of Lambda's context that tells how much time the handler has. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/**
 * Wraps a handler so that it handles each event once, with the idempotency of Powertools for AWS Lambda. If the handler
 * throws, the event counts as not handled, and the next attempt runs the handler again. A replay is no duplicate: it has
 * another `replayId`. What the handler returns is dropped.
 *
 * Needs the permissions GetItem, PutItem, UpdateItem and DeleteItem on the items of the table whose `pk` is
 * `idempotency#<name of the function>`. `receiver.onEvent` gives them to its functions.
 *
 * @example
 * export const handler = idempotent(
 *   eventHandlers({ onRunFailed: (run) => openTicket(run) }),
 *   { tableName: process.env.LEDGER_TABLE },
 * );
 *
 * @throws Error if there is no table name.
 */
export function idempotent<Invocation extends BusInvocation>(
  handler: (invocation: Invocation, context: LambdaContext) => unknown,
  { tableName, retentionDays = 30 }: IdempotencyOptions,
): (invocation: Invocation, context: LambdaContext) => Promise<void> {
  if (!tableName) {
    throw new Error(
      "idempotent has no tableName; set it to the ledgerName of the receiver, for example in an environment variable",
    );
  }
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName,
    keyAttr: "pk",
    sortKeyAttr: "sk",
    staticPkValue: `idempotency#${process.env.AWS_LAMBDA_FUNCTION_NAME ?? ""}`,
    expiryAttr: "expiration",
  });
  const config = new IdempotencyConfig({
    eventKeyJmesPath: "[detail.ingestId, detail.replayId]",
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: retentionDays * 24 * 3600,
  });
  // Returns nothing: Powertools would store the result in the table.
  const handleOnce = async (invocation: Invocation, context: LambdaContext): Promise<void> => {
    await handler(invocation, context);
  };
  return makeIdempotent(handleOnce, { persistenceStore, config });
}
