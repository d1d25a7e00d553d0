import { describeError } from "../log.ts";
import { type ConsumePorts, consume } from "./consume.ts";

/** What SQS invokes a function with, as far as it counts here. */
export interface QueueBatch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that have to come again; for an event source mapping with `ReportBatchItemFailures`. */
export interface BatchFailures {
  readonly batchItemFailures: { itemIdentifier: string }[];
}

/** Consumes the messages of a batch, each by itself: what fails with one leaves the others alone. */
export async function consumeBatch({ Records }: QueueBatch, ports: ConsumePorts): Promise<BatchFailures> {
  const isDone = await Promise.all(Records.map(({ messageId, body }) => isConsumed(messageId, body, ports)));
  const failed = Records.filter((_, index) => isDone[index] === false);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function isConsumed(messageId: string, body: string, ports: ConsumePorts): Promise<boolean> {
  try {
    await consume(body, ports);
    return true;
  } catch (error) {
    ports.log({ level: "error", message: "message not consumed", messageId, error: describeError(error) });
    return false;
  }
}
