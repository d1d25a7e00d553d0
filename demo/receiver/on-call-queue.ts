import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { z } from "zod";
import type { Moto } from "../../test/aws/moto/start-moto.ts";
import { takeMessages } from "../../test/aws/queues.ts";

const queueName = "on-call";

const eventSchema = z.object({
  "detail-type": z.string(),
  detail: z.looseObject({
    ingestId: z.string(),
    replayId: z.string().optional(),
    reconciled: z.boolean(),
    event: z.record(z.string(), z.unknown()).default({}),
  }),
});

/** An event that the bus has delivered to the queue `on-call`. */
export type DeliveredEvent = z.infer<typeof eventSchema>;

/**
 * Creates the queue of the people on call, which is theirs: the stack's file only names its ARN. Therefore they also write its
 * policy, which lets the rules of the receiver's bus send to it. Returns the queue's URL.
 */
export async function createOnCallQueue({ client }: Moto): Promise<string> {
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: "events.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: `arn:aws:sqs:eu-central-1:123456789012:${queueName}`,
        Condition: {
          ArnLike: { "aws:SourceArn": "arn:aws:events:eu-central-1:123456789012:rule/webhook-receiver-bus-*" },
        },
      },
    ],
  });
  const command = new CreateQueueCommand({ QueueName: queueName, Attributes: { Policy } });
  const { QueueUrl: url = "" } = await new SQSClient(client).send(command);
  return url;
}

/** Takes the events out of the queue. */
export async function takeEvents(box: {
  readonly moto: Moto;
  readonly onCallQueueUrl: string;
}): Promise<DeliveredEvent[]> {
  const messages = await takeMessages(box.moto, box.onCallQueueUrl);
  return messages.map(({ Body: body = "" }) => eventSchema.parse(JSON.parse(body)));
}

/** A line for each event: its type, its ids, and what it is about. */
export function eventLines(events: readonly DeliveredEvent[]): string {
  const lines = events.map(({ "detail-type": type, detail: { ingestId, replayId, reconciled, event } }) => {
    const ids = [`ingestId=${ingestId}`, ...(replayId === undefined ? [] : [`replayId=${replayId}`])];
    const facts = ["tenant_name", "run_id", "admin_link"].flatMap((name) =>
      event[name] === undefined ? [] : [`${name}=${event[name]}`],
    );
    return [type, ...ids, `reconciled=${reconciled}`, ...facts].join("  ");
  });
  return lines.join("\n");
}
