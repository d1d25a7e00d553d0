import { createServer, type Server, type Socket } from "node:net";
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Moto } from "./moto/start-moto.ts";

/** Receives and deletes all messages of a queue. */
export async function takeMessages(moto: Moto, queueUrl: string): Promise<Message[]> {
  const sqs = new SQSClient(moto.client);
  const received: Message[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
    const { Messages: messages = [] } = await sqs.send(command);
    if (messages.length === 0) return received;
    received.push(...messages);
    for (const { ReceiptHandle } of messages) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
}

/** A server in place of a queue. */
export interface StubQueue extends AsyncDisposable {
  readonly url: string;
}

/** Accepts connections and requests, but never answers. */
export function silentQueue(): Promise<StubQueue> {
  return listen(createServer());
}

async function listen(server: Server): Promise<StubQueue> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => void sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
