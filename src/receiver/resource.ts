import * as pulumi from "@pulumi/pulumi";
import type { WebhookReceiverArgs } from "./args.ts";
import { checkedArgs, warningsAbout } from "./checked-args.ts";
import { createAcknowledger } from "./infrastructure/acknowledger.ts";
import { createAlarms } from "./infrastructure/alarms.ts";
import { createConsumer } from "./infrastructure/consumer.ts";
import { createDashboard } from "./infrastructure/dashboard.ts";
import { createArchive, createBus, createLedger } from "./infrastructure/delivery.ts";
import { handlesOf, type OperatedParts } from "./infrastructure/handles.ts";
import { createQueries } from "./infrastructure/queries.ts";
import { createQueues } from "./infrastructure/queue.ts";
import { createReconciler } from "./infrastructure/reconciler.ts";
import type { DnsRecord } from "./infrastructure/rest-api.ts";
import { createScope, reachable } from "./infrastructure/scope.ts";
import type { SubscriptionSource } from "./infrastructure/subscription-dead-letters.ts";
import type { SubscriptionTarget } from "./infrastructure/subscription-target.ts";
import type { SubscribedTypes } from "./subscribed-types.ts";
import { Subscription, type SubscriptionOptions } from "./subscription.ts";

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
    const settings = checkedArgs(name, args);
    super("integration-platform:WebhookReceiver", name, {}, options);
    for (const warning of warningsAbout(name, args)) pulumi.log.warn(warning, this);
    const scope = createScope(name, this);
    const alarmTopicArn = settings.alarmTopicArn && reachable("alarmTopicArn", settings.alarmTopicArn, this);

    const queues = createQueues(scope, settings);
    const { queue, deadLetters } = queues;
    const ledger = createLedger(scope, settings);
    const bus = createBus(scope);
    const archive = settings.archiveDays > 0 ? createArchive(scope, bus, settings.archiveDays) : undefined;
    this.#source = { receiver: this, bus, ledger, archive, alarmTopicArn };

    const acknowledger = createAcknowledger(scope, { ...settings, queue, ledger });
    const consumer = createConsumer(scope, { ...settings, queue, ledger, bus });
    const { platform, reconciliation, tokens } = settings;
    const reconciler =
      reconciliation && platform && createReconciler(scope, { ...settings, reconciliation, platform, ledger, bus });
    const parts: OperatedParts = {
      ...queues,
      ledger,
      bus,
      functions: { acknowledge: acknowledger, consume: consumer, reconcile: reconciler },
      restApi: acknowledger.restApi,
    };
    const handles = handlesOf(parts);
    const alarms = createAlarms(scope, {
      ...parts,
      handles,
      topicArn: alarmTopicArn,
      silenceHours: settings.silenceHours,
      sweepMinutes: reconciliation?.everyMinutes,
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
   * Delivers events from the bus to a Lambda function, an SNS topic or an SQS queue. Events that the bus cannot deliver go to a
   * dead-letter queue with an alarm, and those that a function fails to handle to another one. The subscription also allows the
   * delivery; for the ARN of a topic or a queue, the program does that itself.
   *
   * @param eventTypes event types of the specification, `unknown`, `malformed`, or `all`.
   * @param target the function, topic or queue, or its ARN.
   *
   * @example
   * receiver.onEvent(["run_failed", "unknown"], pagerTopic);
   * receiver.onEvent("all", auditQueue, { name: "audit" });
   */
  onEvent(eventTypes: SubscribedTypes, target: SubscriptionTarget, options?: SubscriptionOptions): Subscription {
    return new Subscription(this.#source, eventTypes, target, options);
  }
}

const outputNames = [
  "url",
  "instructions",
  "dnsRecord",
  "queueUrl",
  "deadLetterQueueUrl",
  "deadLetterQueueArn",
  "ledgerName",
  "busName",
  "logGroupNames",
  "dashboardUrl",
] as const;

/** The outputs of a receiver. A stack in YAML exports all of them. */
export function outputsOf(receiver: WebhookReceiver): Record<string, pulumi.Output<unknown>> {
  return Object.fromEntries(outputNames.map((name) => [name, receiver[name]]));
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
