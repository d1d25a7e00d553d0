import * as pulumi from "@pulumi/pulumi";
import { checkedArgs } from "./checked-args.ts";
import { createAcknowledger } from "./infrastructure/acknowledger.ts";
import { createAlarms } from "./infrastructure/alarms.ts";
import { createArchive } from "./infrastructure/archive.ts";
import { createConsumer } from "./infrastructure/consumer.ts";
import { createDashboard } from "./infrastructure/dashboard.ts";
import { createBus, createLedger } from "./infrastructure/delivery.ts";
import { handlesOf, type OperatedParts } from "./infrastructure/handles.ts";
import { createPlatform } from "./infrastructure/platform.ts";
import { createQueries } from "./infrastructure/queries.ts";
import { createQueues } from "./infrastructure/queue.ts";
import { createReconciler } from "./infrastructure/reconciler.ts";
import type { DnsRecord } from "./infrastructure/rest-api.ts";
import { createScope } from "./infrastructure/scope.ts";
import type { SubscriptionSource } from "./infrastructure/subscription-source.ts";
import type { SubscriptionTarget } from "./infrastructure/subscription-target.ts";
import type { SubscribedTypes } from "./subscribed-types.ts";
import { Subscription, type SubscriptionOptions } from "./subscription.ts";

/** The platform that sends the webhooks. The receiver reads its tenants. */
export interface PlatformArgs {
  /** Base URL of the platform, with https and without `/v2`. AWS must be able to reach it. */
  baseUrl: pulumi.Input<string>;
  /** API key of the platform, a secret. It only needs the permission to read tenants. */
  apiKey: pulumi.Input<string>;
}

/** How the receiver finds tenants that were created or archived without a webhook. */
export interface ReconciliationArgs {
  /** How often to list the tenants, in minutes. Default 60. */
  everyMinutes?: number | undefined;
  /** How long a webhook may lag behind the list of tenants before it counts as lost, in seconds. Default 900. */
  graceSeconds?: number | undefined;
}

/** A REST API of Amazon API Gateway between the platform and the acknowledging function. */
export interface RestApiArgs {
  /** Requests a second that the API accepts; it answers the others with 429. Default 20. */
  requestsPerSecond?: number | undefined;
  /** Requests that the API accepts at once. Default 40. */
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

/** Inputs of {@link WebhookReceiver}. */
export interface WebhookReceiverArgs {
  /**
   * The valid tokens, the newest first: secrets of at least 32 random characters (`openssl rand -hex 32`). Usually one; two
   * while one replaces the other, so that the rotation loses no event.
   */
  tokens: pulumi.Input<readonly pulumi.Input<string>[]>;
  /** The platform that sends the webhooks. `reconciliation` and `verify` need it. Default: none. */
  platform?: PlatformArgs | undefined;
  /**
   * Find tenants that were created or archived without a webhook. `false` turns it off. Default: on if `platform` is given,
   * every 60 minutes.
   */
  reconciliation?: ReconciliationArgs | false | undefined;
  /**
   * Read the tenant or the integration of each event from `platform` before the event is published. An event that the
   * platform does not confirm is published with the detail type `unverified`. Default false.
   */
  verify?: boolean | undefined;
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
   * the event would be lost. Default: none, because an account with a small quota has none to reserve.
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

/** The names of the log groups of a receiver's functions, `/aws/lambda/<name of the function>`. */
export interface LogGroupNames {
  acknowledge: string;
  consume: string;
  /** Absent if the receiver does not reconcile. */
  reconcile?: string;
}

/**
 * Receives the webhooks of the platform on AWS (specification, "Events"). It answers a webhook once a queue has stored it,
 * and then delivers the event to a ledger and a bus, so that no event is lost.
 *
 * @example
 * const config = new pulumi.Config();
 * const receiver = new WebhookReceiver("events", {
 *   tokens: [config.requireSecret("webhookToken")],
 *   platform: { baseUrl: "https://platform.example.com", apiKey: config.requireSecret("apiKey") },
 *   silenceHours: 24,
 * });
 * export const instructions = receiver.instructions;
 */
export class WebhookReceiver extends pulumi.ComponentResource {
  /** The webhook URL with the newest token, a secret. */
  readonly url: pulumi.Output<string>;
  /** How to configure the webhook in the management console. A secret, because it contains the URL. */
  readonly instructions: pulumi.Output<string>;
  /** The DNS record that the custom domain of the REST API needs. Undefined without one. */
  readonly dnsRecord: pulumi.Output<DnsRecord | undefined>;
  /** URL of the queue between the acknowledging function and the consumer. */
  readonly queueUrl: pulumi.Output<string>;
  /** URL of the queue of messages that could not be consumed. */
  readonly deadLetterQueueUrl: pulumi.Output<string>;
  /** ARN of the queue of messages that could not be consumed. */
  readonly deadLetterQueueArn: pulumi.Output<string>;
  /** Name of the DynamoDB table that holds every event. */
  readonly ledgerName: pulumi.Output<string>;
  /** Name of the EventBridge bus on which the events are published. */
  readonly busName: pulumi.Output<string>;
  /** Names of the functions' log groups. */
  readonly logGroupNames: pulumi.Output<LogGroupNames>;
  /** URL of the dashboard in the console of CloudWatch. */
  readonly dashboardUrl: pulumi.Output<string>;

  readonly #source: SubscriptionSource;

  constructor(name: string, args: WebhookReceiverArgs, options: pulumi.ComponentResourceOptions = {}) {
    const { tokens, reconciliation, isVerifying, isProtected, logRetentionDays, ledgerRetentionDays, ...settings } =
      checkedArgs(name, args);
    super("integration-platform:WebhookReceiver", name, {}, options);
    const scope = createScope(name, this);

    const { queue, deadLetters } = createQueues(scope, { isProtected });
    const ledger = createLedger(scope, { isProtected });
    const bus = createBus(scope);
    const archive = settings.archiveDays > 0 ? createArchive(scope, bus, settings.archiveDays) : undefined;
    this.#source = { receiver: this, bus, ledger, archive, alarmTopicArn: settings.alarmTopicArn };
    const platform =
      reconciliation || isVerifying ? settings.platform && createPlatform(scope, settings.platform) : undefined;

    const acknowledger = createAcknowledger(scope, {
      queue,
      tokens,
      allowedSources: settings.allowedSources,
      logRetentionDays,
      reservedConcurrency: settings.reservedConcurrency,
      isProtected,
      restApi: settings.restApi,
    });
    const delivery = { ledger, bus, logRetentionDays, ledgerRetentionDays };
    const consumer = createConsumer(scope, {
      ...delivery,
      queue,
      concurrency: settings.consumerConcurrency,
      verifiesWith: isVerifying ? platform : undefined,
    });
    const reconciler =
      reconciliation && platform && createReconciler(scope, { ...delivery, ...reconciliation, platform });
    const parts: OperatedParts = {
      queue,
      deadLetters,
      ledger,
      bus,
      functions: { acknowledge: acknowledger, consume: consumer, reconcile: reconciler },
      restApi: acknowledger.restApi,
    };
    const handles = handlesOf(parts);
    const alarms = createAlarms(scope, {
      ...parts,
      handles,
      topicArn: settings.alarmTopicArn,
      silenceHours: settings.silenceHours,
      isVerifying,
    });
    createQueries(scope, handles);

    this.url = pulumi.secret(pulumi.interpolate`${acknowledger.url}?token=${tokens.apply(([newest]) => newest)}`);
    this.instructions = this.url.apply(instructionsFor);
    this.dnsRecord = pulumi.output(acknowledger.restApi?.dnsRecord);
    this.queueUrl = queue.url;
    this.deadLetterQueueUrl = deadLetters.url;
    this.deadLetterQueueArn = deadLetters.arn;
    this.ledgerName = ledger.name;
    this.busName = bus.name;
    this.logGroupNames = pulumi
      .all([acknowledger.logGroup.name, consumer.logGroup.name, reconciler?.logGroup.name])
      .apply(([acknowledge, consume, reconcile]) => ({ acknowledge, consume, ...(reconcile && { reconcile }) }));
    this.dashboardUrl = createDashboard(scope, { handles, alarms });
    this.registerOutputs(outputsOf(this));
  }

  /**
   * Delivers events from the bus to a Lambda function, an SNS topic or an SQS queue. Events that the target does not handle
   * go to a dead-letter queue with an alarm. The subscription also allows the delivery; for the ARN of a topic or a queue, the
   * program does that itself.
   *
   * @param eventTypes event types of the specification, `unknown`, `malformed`, `unverified`, or `all`.
   * @param target the function, topic or queue, or its ARN.
   *
   * @example
   * receiver.onEvent(["run_failed", "unverified"], pagerTopic);
   * receiver.onEvent("all", auditQueue, { name: "audit" });
   */
  onEvent(eventTypes: SubscribedTypes, target: SubscriptionTarget, options?: SubscriptionOptions): Subscription {
    return new Subscription(this.#source, eventTypes, target, options);
  }
}

/** The outputs of a receiver. A stack in YAML exports all of them. */
export function outputsOf({
  url,
  instructions,
  dnsRecord,
  queueUrl,
  deadLetterQueueUrl,
  deadLetterQueueArn,
  ledgerName,
  busName,
  logGroupNames,
  dashboardUrl,
}: WebhookReceiver) {
  return {
    url,
    instructions,
    dnsRecord,
    queueUrl,
    deadLetterQueueUrl,
    deadLetterQueueArn,
    ledgerName,
    busName,
    logGroupNames,
    dashboardUrl,
  };
}

/** How to configure the webhook (specification, "Events", Configuration). */
function instructionsFor(url: string): string {
  return [
    "In the management console, open the administrator settings, tab Notifications & Webhooks:",
    `1. Enter this webhook URL: ${url}`,
    "2. Turn on Send Webhook for all five events: Integration Created, Tenant Created, Tenant Archived,",
    "   Partner Integration Updated, Run Failed.",
    "The URL contains the receiver's token: anyone who knows the URL can send events.",
  ].join("\n");
}
