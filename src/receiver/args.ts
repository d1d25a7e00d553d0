import type * as pulumi from "@pulumi/pulumi";

/** The platform that sends the webhooks. The receiver reads its tenants and integrations. */
export interface PlatformArgs {
  /** Base URL of the platform, with https and without `/v2`. AWS must be able to reach it. */
  baseUrl: pulumi.Input<string>;
  /** API key of the platform, a secret. It only needs the permissions to read tenants and integrations. */
  apiKey: pulumi.Input<string>;
}

/** How the receiver finds tenants that were created or archived without a webhook. */
export interface ReconciliationArgs {
  /** How often to list the tenants, in minutes. Default 60. */
  everyMinutes?: number | undefined;
  /** How long a webhook may lag behind the list of tenants before it counts as lost, in seconds. Default 900. */
  graceSeconds?: number | undefined;
  /**
   * How many events a sweep may publish. A sweep that finds more publishes none and raises the alarm `withheld`, because the
   * platform's list may be wrong. Default 50.
   */
  maximumEvents?: number | undefined;
}

/** A REST API of Amazon API Gateway between the platform and the acknowledging function. */
export interface RestApiArgs {
  /** Requests a second that the API accepts; it answers the others with 429. Default 100. */
  requestsPerSecond?: number | undefined;
  /** Requests that the API accepts at once. Default 200. */
  burst?: number | undefined;
  /** The web ACL of AWS WAF that filters the requests. Default: none. */
  webAclArn?: pulumi.Input<string> | undefined;
  /** A domain of your own for the webhook URL. Default: the API has a name of AWS. */
  domain?: RestApiDomainArgs | undefined;
}

/** A domain of your own. Create the DNS record that leads to the API yourself. */
export interface RestApiDomainArgs {
  /** The host name, such as `webhooks.example.com`. */
  name: pulumi.Input<string>;
  /** The host's certificate in AWS Certificate Manager, in the receiver's region. */
  certificateArn: pulumi.Input<string>;
}

/** Inputs of `WebhookReceiver`. */
export interface WebhookReceiverArgs {
  /**
   * The valid tokens, the newest first: secrets of at least 32 random characters (`openssl rand -hex 32`). Usually one; two
   * while one replaces the other, so that the rotation loses no event.
   */
  tokens: pulumi.Input<readonly pulumi.Input<string>[]>;
  /** The platform that sends the webhooks. `reconciliation` needs it. Default: none. */
  platform?: PlatformArgs | undefined;
  /**
   * Find tenants that were created or archived without a webhook. `false` turns it off. Default: on if `platform` is given,
   * every 60 minutes.
   */
  reconciliation?: ReconciliationArgs | false | undefined;
  /** Addresses and networks that may send webhooks (IPv4, IPv6, CIDR). Default: all. */
  allowedSources?: pulumi.Input<readonly pulumi.Input<string>[]> | undefined;
  /** The SNS topic that the alarms notify. Default: the alarms notify nobody. */
  alarmTopicArn?: pulumi.Input<string> | undefined;
  /**
   * Raise an alarm after this many hours without an event, at most 168. Recommended: 24, because nothing else shows that the
   * webhook is turned off in the management console. Default: never.
   */
  silenceHours?: number | undefined;
  /** How long CloudWatch retains the functions' logs, in days; one of the values that it supports. Default 30. */
  logRetentionDays?: number | undefined;
  /** How long the ledger retains events, in days, from 30 to 3650. Default: for ever. */
  ledgerRetentionDays?: number | undefined;
  /**
   * How long the archive of the bus retains events, in days, at most 3650; 0 for no archive. It can send the events of a
   * period again, to all rules or to one. Default 30.
   */
  archiveDays?: number | undefined;
  /**
   * Protect the ledger, the queues, the acknowledging function and its URL: Pulumi deletes none of them, and AWS does not
   * delete the ledger. Before you destroy the receiver, deploy it with `false`. Default true.
   */
  deletionProtection?: boolean | undefined;
  /**
   * Concurrent invocations that AWS reserves for the acknowledging function, which are also its limit. Set it if other
   * functions of the account could use up the account's concurrency: AWS would then throttle the platform's request, and
   * the event would be lost. AWS also limits the function's URL to ten requests a second for each reserved invocation, and
   * answers 429 to the others: their events are lost. Reserve a tenth of the tenants that may be created or archived at once;
   * below 10, the receiver warns. Default: none, because an account with a small quota has none to reserve.
   */
  reservedConcurrency?: number | undefined;
  /**
   * Concurrent invocations of the consuming function at most, from 2 to 1000. They count against the account's concurrency,
   * which is 10 in a new account and which the acknowledging function needs too. Default 2.
   */
  consumerConcurrency?: number | undefined;
  /** Put a REST API with throttling in front of the acknowledging function. Default: the function's own URL is public. */
  restApi?: RestApiArgs | undefined;
}
