import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { createScope, reachable } from "./infrastructure/scope.ts";
import {
  createSubscriptionAlarm,
  createSubscriptionDeadLetters,
  type SubscriptionSource,
} from "./infrastructure/subscription-dead-letters.ts";
import { allowDelivery, type SubscriptionTarget, targetArn, targetName } from "./infrastructure/subscription-target.ts";
import { eventPattern, type SubscribedTypes, subscribedTypesSchema } from "./subscribed-types.ts";

/** Options of a subscription. */
export interface SubscriptionOptions {
  /**
   * The name of the subscription, unique in its receiver. Default: the name of the target. An ARN that is an output has no
   * name that Pulumi knows in time: such a subscription needs this option.
   */
  readonly name?: string | undefined;
  /**
   * Allow the bus to deliver to the target. The receiver then owns the policy of a topic or a queue, and the settings of a
   * function for asynchronous invocations. Set it to false if your program declares these itself. Default true.
   */
  readonly allowDelivery?: boolean | undefined;
}

/**
 * Delivers events from the bus of a receiver to a target. An event that the bus cannot deliver goes to a dead-letter queue,
 * which has an alarm. An event that a function fails to handle three times goes to a queue of the function, which has another
 * alarm; of a function that is given by its ARN, the alarm alone.
 */
export class Subscription extends pulumi.ComponentResource {
  /** URL of the queue of events that the bus could not deliver. */
  readonly deadLetterQueueUrl: pulumi.Output<string>;
  /** ARN of that queue. */
  readonly deadLetterQueueArn: pulumi.Output<string>;

  /** @internal Use `onEvent` of the receiver. */
  constructor(
    source: SubscriptionSource,
    eventTypes: SubscribedTypes,
    target: SubscriptionTarget,
    { name: givenName, allowDelivery: isAllowing = true }: SubscriptionOptions = {},
  ) {
    const types = checkedTypes(eventTypes);
    const name = `${pulumi.resourceName(source.receiver)}-${givenName ?? nameOf(target)}`;
    super("integration-platform:WebhookSubscription", name, {}, { parent: source.receiver });
    const scope = createScope(name, this);
    const { options } = scope;

    const rule = new aws.cloudwatch.EventRule(
      name,
      { eventBusName: source.bus.name, eventPattern: eventPattern(types) },
      options,
    );
    const deadLetters = createSubscriptionDeadLetters(scope, { rule });
    const dependsOn = isAllowing ? allowDelivery(name, target, { ...source, rule, options }) : [];
    new aws.cloudwatch.EventTarget(
      name,
      {
        rule: rule.name,
        eventBusName: source.bus.name,
        arn: reachable("the target", targetArn(target), this),
        deadLetterConfig: { arn: deadLetters.queue.arn },
      },
      { ...options, dependsOn: [...dependsOn, deadLetters.policy] }, // the first event needs them
    );
    createSubscriptionAlarm(scope, source, { rule, queue: deadLetters.queue });

    this.deadLetterQueueUrl = deadLetters.queue.url;
    this.deadLetterQueueArn = deadLetters.queue.arn;
    this.registerOutputs({
      deadLetterQueueUrl: this.deadLetterQueueUrl,
      deadLetterQueueArn: this.deadLetterQueueArn,
    });
  }
}

function checkedTypes(types: SubscribedTypes): SubscribedTypes {
  const { data, error } = subscribedTypesSchema.safeParse(types);
  if (data !== undefined) return data;
  throw new pulumi.RunError(`the event types of a subscription are invalid: ${error.issues[0]?.message}`);
}

function nameOf(target: SubscriptionTarget): string {
  const name = targetName(target);
  if (name !== undefined) return name;
  throw new pulumi.RunError(
    'a subscription to an ARN that is an output needs a name: receiver.onEvent(types, arn, { name: "on-call" })',
  );
}
