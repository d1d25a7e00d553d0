import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { z } from "zod";
import type { Moto } from "../../test/aws/moto/start-moto.ts";

/** Invokes the consumer with the messages of moto's queue, as AWS's event source mapping does, on the demo's clock. */
export interface QueueTrigger {
  /** Receives the messages that are visible in a minute, and deletes those that the consumer does not return. */
  poll(minute: number): Promise<void>;
  /** The age of the oldest message in seconds, as SQS reports it. */
  oldestAgeSeconds(minute: number): number;
}

export interface QueueTriggerSettings {
  readonly queueUrl: string;
  readonly invoke: (batch: unknown) => Promise<unknown>;
}

interface MessageInFlight {
  readonly receiptHandle: string;
  readonly receiveCount: number;
  readonly firstReceivedInMinute: number;
  readonly visibleInMinute: number;
}

const responseSchema = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) });
const maxCountOfAge = 3;

export async function startQueueTrigger(
  { client }: Moto,
  { queueUrl: QueueUrl, invoke }: QueueTriggerSettings,
): Promise<QueueTrigger> {
  const sqs = new SQSClient(client);
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["VisibilityTimeout"] });
  const { Attributes: settings } = await sqs.send(command);
  const visibilityMinutes = Number(settings?.VisibilityTimeout) / 60;
  const inFlight = new Map<string, MessageInFlight>();

  const firstReceived = new Map<string, number>();

  /** moto counts the visibility timeout in real time, and the demo does not wait for it. */
  const makeVisible = async (minute: number) => {
    for (const [id, { receiptHandle: ReceiptHandle, visibleInMinute }] of inFlight) {
      if (visibleInMinute > minute) continue;
      inFlight.delete(id);
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    }
  };
  const receive = async () => {
    const { Messages: messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ["All"] }),
    );
    return messages;
  };
  /** Returns whether a message stays in the queue. All do if the response is not what AWS expects. */
  const consume = async (messages: readonly Message[]) => {
    const Records = messages.map(({ MessageId, Body, Attributes }) => {
      return { messageId: MessageId, body: Body, attributes: Attributes };
    });
    const { data } = responseSchema.safeParse(await invoke({ Records }));
    const failed = data?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    return ({ MessageId: id = "" }: Message) => failed === undefined || failed.includes(id);
  };

  return {
    poll: async (minute) => {
      await makeVisible(minute);
      const messages = await receive();
      if (messages.length === 0) return;
      const isReturned = await consume(messages);
      for (const message of messages) {
        const { MessageId: id = "", ReceiptHandle: receiptHandle = "", Attributes: attributes } = message;
        const firstReceivedInMinute = firstReceived.get(id) ?? minute;
        if (isReturned(message)) {
          const receiveCount = Number(attributes?.ApproximateReceiveCount);
          const visibleInMinute = minute + visibilityMinutes;
          inFlight.set(id, { receiptHandle, receiveCount, firstReceivedInMinute, visibleInMinute });
          firstReceived.set(id, firstReceivedInMinute);
        } else {
          firstReceived.delete(id);
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receiptHandle }));
        }
      }
    },
    oldestAgeSeconds: (minute) => {
      // SQS leaves out messages that were received three times or more (Amazon SQS, "Available CloudWatch metrics")
      const counted = [...inFlight.values()].filter(({ receiveCount }) => receiveCount < maxCountOfAge);
      return Math.max(0, ...counted.map(({ firstReceivedInMinute }) => (minute + 1 - firstReceivedInMinute) * 60));
    },
  };
}
