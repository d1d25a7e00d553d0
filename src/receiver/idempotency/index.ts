/**
 * Handlers that handle an event once, although it may arrive more often. This entry point needs
 * `@aws-lambda-powertools/idempotency`, `@aws-sdk/client-dynamodb` and `@aws-sdk/lib-dynamodb`.
 *
 * @module
 */
export { type IdempotencyOptions, idempotent, type LambdaContext } from "./idempotent.ts";
