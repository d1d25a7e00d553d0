/**
 * A webhook receiver on AWS that loses no event. This entry point loads Pulumi and @pulumi/aws;
 * `pulumi-integration-platform/receiver/events` has the events without them.
 *
 * @module
 */
export type {
  PlatformArgs,
  ReconciliationArgs,
  RestApiArgs,
  RestApiDomainArgs,
  WebhookReceiverArgs,
} from "./args.ts";
export * from "./events/index.ts";
export type { DnsRecord } from "./infrastructure/rest-api.ts";
export type { SubscriptionTarget } from "./infrastructure/subscription-target.ts";
export { type LogGroupNames, WebhookReceiver } from "./resource.ts";
export type { DetailType, SubscribedTypes } from "./subscribed-types.ts";
export type { Subscription, SubscriptionOptions } from "./subscription.ts";
