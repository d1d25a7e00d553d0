import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from "@aws-sdk/client-eventbridge";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { z } from "zod";
import { takeMessages } from "./queues.ts";
import type { ReceiverStack } from "./receiver-stack.ts";

/** Returns the events that have arrived on the bus since the last call. */
export type EventsOnBus = () => Promise<Record<string, unknown>[]>;

/** Attaches a rule to the bus, as a user does. Its target is a queue. */
export async function subscribeToBus({ moto, outputs }: ReceiverStack): Promise<EventsOnBus> {
  const { QueueUrl: queueUrl = "" } = await new SQSClient(moto.client).send(
    new CreateQueueCommand({ QueueName: "events" }),
  );
  const events = new EventBridgeClient(moto.client);
  const EventPattern = JSON.stringify({ source: ["integration-platform"] });
  const rule = { EventBusName: outputs.busName };
  await events.send(new PutRuleCommand({ ...rule, Name: "all", EventPattern }));
  const Targets = [{ Id: "events", Arn: "arn:aws:sqs:eu-central-1:123456789012:events" }];
  await events.send(new PutTargetsCommand({ ...rule, Rule: "all", Targets }));
  return async () => {
    const messages = await takeMessages(moto, queueUrl);
    return messages.map(({ Body: body = "" }) => eventSchema.parse(JSON.parse(body)));
  };
}

const eventSchema = z.record(z.string(), z.unknown());
