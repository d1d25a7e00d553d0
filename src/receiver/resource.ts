import * as pulumi from "@pulumi/pulumi";
import { acknowledger } from "./infrastructure/acknowledger.ts";
import { receiverAlarms } from "./infrastructure/alarms.ts";
import { eventBus } from "./infrastructure/bus.ts";
import { consumer } from "./infrastructure/consumer.ts";
import { instructionsFor } from "./infrastructure/instructions.ts";
import { eventLedger } from "./infrastructure/ledger.ts";
import { messageQueue } from "./infrastructure/queue.ts";
import { reconciler } from "./infrastructure/reconciler.ts";
import { createScope } from "./infrastructure/scope.ts";
import { receiverTokens } from "./infrastructure/tokens.ts";

/** How tenants that came or went without a webhook are found. */
export interface ReconciliationArgs {
  /** Base address of the platform. AWS must be able to reach it. */
  baseUrl: pulumi.Input<string>;
  /** API key of the platform, a secret. It needs to list tenants, no more. */
  apiKey: pulumi.Input<string>;
  /** How often to look, in minutes. Default 60. */
  everyMinutes?: number | undefined;
  /** How old a tenant must be, in seconds, before its webhook counts as missing. Default 900. */
  graceSeconds?: number | undefined;
}

/** What is declared of a receiver. */
export interface WebhookReceiverArgs {
  /**
   * The tokens that are let in, secrets of 32 characters or more (`openssl rand -hex 32`), the newest first. One; or
   * two while one replaces the other, so that no event is lost between the two changes.
   */
  tokens: pulumi.Input<readonly pulumi.Input<string>[]>;
  /** Look for tenants that came or went without a webhook. Default: do not. */
  reconciliation?: ReconciliationArgs | undefined;
  /** Addresses and networks (IPv4, IPv6, CIDR) that may send. Default: all. */
  allowedSources?: pulumi.Input<readonly pulumi.Input<string>[]> | undefined;
  /** The SNS topic that the alarms tell. Default: the alarms only show. */
  alarmTopicArn?: pulumi.Input<string> | undefined;
  /** Alarm after so many hours without any event, at most 168. Default: silence is no alarm. */
  silenceHours?: number | undefined;
  /** How long the functions' logs are kept, in days, as CloudWatch knows them. Default 30. */
  logRetentionDays?: number | undefined;
  /**
   * Whether what holds events is protected: Pulumi deletes neither ledger nor queues, and AWS refuses to delete the
   * ledger, whoever asks. To destroy the receiver, first bring up `false`. Default true.
   */
  deletionProtection?: boolean | undefined;
  /**
   * Invocations at once that are kept for the acknowledging function, and the most it gets. Set it where other functions
   * of the account could use up its concurrency: AWS then throttles the platform's request, and the event is lost.
   * Default: none are kept, as an account with a small quota has none to keep.
   */
  reservedConcurrency?: number | undefined;
}

/**
 * Receives the webhooks of the platform (specification, Events) on AWS and loses none: the platform is answered with
 * success only once a queue has what it said. From there every event goes into a ledger and onto a bus.
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
  /** The URL for the platform, with the newest token: a secret. */
  readonly url: pulumi.Output<string>;
  /** What to enter where in the management console: a secret, as the URL is in it. */
  readonly instructions: pulumi.Output<string>;
  /** URL of the queue between the acknowledging function and the consumer. */
  readonly queueUrl: pulumi.Output<string>;
  /** URL of the queue of what could not be consumed. */
  readonly deadLetterQueueUrl: pulumi.Output<string>;
  /** Name of the DynamoDB table that holds every event. */
  readonly ledgerName: pulumi.Output<string>;
  /** Name of the EventBridge bus on which the events are put. */
  readonly busName: pulumi.Output<string>;

  constructor(name: string, args: WebhookReceiverArgs, options: pulumi.ComponentResourceOptions = {}) {
    super("integration-platform:WebhookReceiver", name, {}, options);
    const scope = createScope(name, this);
    const { reconciliation, logRetentionDays = 30, deletionProtection: isProtected = true } = args;

    const tokens = receiverTokens(scope, args.tokens);
    const { queue, deadLetters } = messageQueue(scope, { isProtected });
    const ledger = eventLedger(scope, { isProtected });
    const bus = eventBus(scope);

    const acknowledging = acknowledger(scope, {
      queue,
      tokenDigests: tokens.digests,
      allowedSources: args.allowedSources ?? [],
      logRetentionDays,
      reservedConcurrency: args.reservedConcurrency,
    });
    const consuming = consumer(scope, { queue, ledger, bus, logRetentionDays });
    const reconciling =
      reconciliation &&
      reconciler(scope, {
        ledger,
        bus,
        baseUrl: reconciliation.baseUrl,
        apiKey: pulumi.secret(reconciliation.apiKey),
        everyMinutes: reconciliation.everyMinutes ?? 60,
        graceSeconds: reconciliation.graceSeconds ?? 900,
        logRetentionDays,
      });
    receiverAlarms(scope, {
      queue,
      deadLetters,
      acknowledger: acknowledging.lambda,
      functions: {
        acknowledge: acknowledging.lambda,
        consume: consuming.lambda,
        ...(reconciling && { reconcile: reconciling.lambda }),
      },
      topicArn: args.alarmTopicArn,
      silenceHours: args.silenceHours,
    });

    this.url = pulumi.secret(pulumi.interpolate`${acknowledging.url}?token=${tokens.newest}`);
    this.instructions = instructionsFor(this.url);
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
}
