import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Moto } from "./moto/start-moto.ts";

/** Takes all that waits in a queue. */
export async function takeMessages(moto: Moto, queueUrl: string): Promise<Message[]> {
  const sqs = new SQSClient(moto.client);
  const taken: Message[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
    const { Messages: messages = [] } = await sqs.send(command);
    if (messages.length === 0) return taken;
    taken.push(...messages);
    for (const { ReceiptHandle } of messages) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
}
