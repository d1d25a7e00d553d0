/**
 * The webhook receiver: what the platform says once is not lost. Loads Pulumi and @pulumi/aws; the events alone are in
 * `pulumi-integration-platform/receiver/events`.
 *
 * @module
 */
export * from "./events/index.ts";
export { type ReconciliationArgs, WebhookReceiver, type WebhookReceiverArgs } from "./resource.ts";
