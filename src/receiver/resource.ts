import * as pulumi from "@pulumi/pulumi";
import { createAcknowledger } from "./infrastructure/acknowledger.ts";
import { createAlarms } from "./infrastructure/alarms.ts";
import { createArchive } from "./infrastructure/archive.ts";
import { createConsumer } from "./infrastructure/consumer.ts";
import { createBus, createLedger } from "./infrastructure/delivery.ts";
import { createQueues } from "./infrastructure/queue.ts";
import { createReconciler } from "./infrastructure/reconciler.ts";
import { createScope } from "./infrastructure/scope.ts";
import type { SubscriptionTarget } from "./infrastructure/subscription-target.ts";
import { createTokens } from "./infrastructure/tokens.ts";
import type { SubscribedTypes } from "./subscribed-types.ts";
import { Subscription, type SubscriptionOptions, type SubscriptionSource } from "./subscription.ts";

/** How the receiver finds tenants that were created or archived without a webhook. */
export interface ReconciliationArgs {
  /** Base URL of the platform. AWS must be able to reach it. */
  baseUrl: pulumi.Input<string>;
  /** API key of the platform, a secret. It only needs the permission to list tenants. */
  apiKey: pulumi.Input<string>;
  /** How often to list the tenants, in minutes. Default 60. */
  everyMinutes?: number | undefined;
  /** How long a webhook may lag behind the list of tenants before it counts as lost, in seconds. Default 900. */
  graceSeconds?: number | undefined;
}

/** Inputs of {@link WebhookReceiver}. */
export interface WebhookReceiverArgs {
  /**
   * The valid tokens, the newest first: secrets of at least 32 characters (`openssl rand -hex 32`). Usually one; two
   * while one replaces the other, so that the rotation loses no event.
   */
  tokens: pulumi.Input<readonly pulumi.Input<string>[]>;
  /** Find tenants that were created or archived without a webhook. Default: off. */
  reconciliation?: ReconciliationArgs | undefined;
  /** Addresses and networks that may send webhooks (IPv4, IPv6, CIDR). Default: all. */
  allowedSources?: pulumi.Input<readonly pulumi.Input<string>[]> | undefined;
  /** The SNS topic that the alarms notify. Default: the alarms notify nobody. */
  alarmTopicArn?: pulumi.Input<string> | undefined;
  /** Raise an alarm after this many hours without an event, at most 168. Default: never. */
  silenceHours?: number | undefined;
  /**
   * How long the bus archives its events, in days; 0 for no archive. The archive sends the events of a period again, to all
   * rules or to one. Default 30.
   */
  archiveDays?: number | undefined;
  /** How long CloudWatch retains the functions' logs, in days; one of the values that it supports. Default 30. */
  logRetentionDays?: number | undefined;
  /**
   * Protect the ledger and the queues: Pulumi deletes none of them, and AWS does not delete the ledger. Before you destroy
   * the receiver, deploy it with `false`. Default true.
   */
  deletionProtection?: boolean | undefined;
  /**
   * Concurrent invocations that AWS reserves for the acknowledging function, which are also its limit. Set it if other
   * functions of the account could use up the account's concurrency: AWS would then throttle the platform's request, and
   * the event would be lost. Default: none, because an account with a small quota has none to reserve.
   */
  reservedConcurrency?: number | undefined;
}

/**
 * Receives the webhooks of the platform on AWS (specification, "Events"). It answers a webhook once a queue has stored it,
 * and then delivers the event to a ledger and a bus, so that no event is lost.
 *
 * @example
 * const config = new pulumi.Config();
 * const receiver = new WebhookReceiver("events", {
 *   tokens: [config.requireSecret("webhookToken")],
 *   reconciliation: { baseUrl: "https://platform.example.com", apiKey: config.requireSecret("apiKey") },
 * });
 * export const instructions = receiver.instructions;
 */
export class WebhookReceiver extends pulumi.ComponentResource {
  /** The webhook URL with the newest token, a secret. */
  readonly url: pulumi.Output<string>;
  /** How to configure the webhook in the management console. A secret, because it contains the URL. */
  readonly instructions: pulumi.Output<string>;
  /** URL of the queue between the acknowledging function and the consumer. */
  readonly queueUrl: pulumi.Output<string>;
  /** URL of the queue of messages that could not be consumed. */
  readonly deadLetterQueueUrl: pulumi.Output<string>;
  /** Name of the DynamoDB table that holds every event. */
  readonly ledgerName: pulumi.Output<string>;
  /** Name of the EventBridge bus on which the events are published. */
  readonly busName: pulumi.Output<string>;

  readonly #source: SubscriptionSource;

  constructor(name: string, args: WebhookReceiverArgs, options: pulumi.ComponentResourceOptions = {}) {
    super("integration-platform:WebhookReceiver", name, {}, options);
    const scope = createScope(name, this);
    const { reconciliation, logRetentionDays = 30, deletionProtection: isProtected = true } = args;

    const tokens = createTokens(scope, args.tokens);
    const { queue, deadLetters } = createQueues(scope, { isProtected });
    const ledger = createLedger(scope, { isProtected });
    const bus = createBus(scope);
    const { archiveDays = 30 } = args;
    const archive = archiveDays > 0 ? createArchive(scope, bus, archiveDays) : undefined;
    this.#source = { receiver: this, bus, ledger, archive, alarmTopicArn: args.alarmTopicArn };

    const acknowledger = createAcknowledger(scope, {
      queue,
      tokenDigests: tokens.digests,
      allowedSources: args.allowedSources ?? [],
      logRetentionDays,
      reservedConcurrency: args.reservedConcurrency,
    });
    const consumer = createConsumer(scope, { queue, ledger, bus, logRetentionDays });
    const reconciler =
      reconciliation &&
      createReconciler(scope, {
        ledger,
        bus,
        baseUrl: reconciliation.baseUrl,
        apiKey: pulumi.secret(reconciliation.apiKey),
        everyMinutes: reconciliation.everyMinutes ?? 60,
        graceSeconds: reconciliation.graceSeconds ?? 900,
        logRetentionDays,
      });
    createAlarms(scope, {
      queue,
      deadLetters,
      acknowledger: acknowledger.lambda,
      functions: {
        acknowledge: acknowledger.lambda,
        consume: consumer.lambda,
        ...(reconciler && { reconcile: reconciler.lambda }),
      },
      topicArn: args.alarmTopicArn,
      silenceHours: args.silenceHours,
    });

    this.url = pulumi.secret(pulumi.interpolate`${acknowledger.url}?token=${tokens.newest}`);
    this.instructions = this.url.apply(instructionsFor);
    this.queueUrl = queue.url;
    this.deadLetterQueueUrl = deadLetters.url;
    this.ledgerName = ledger.name;
    this.busName = bus.name;
    this.registerOutputs({
      url: this.url,
      instructions: this.instructions,
      queueUrl: this.queueUrl,
      deadLetterQueueUrl: this.deadLetterQueueUrl,
      ledgerName: this.ledgerName,
      busName: this.busName,
    });
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
