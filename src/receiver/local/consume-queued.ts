import { type ConsumePorts, consume } from "../consume/consume.ts";
import type { QueuedMessage } from "./sqlite-queue.ts";

/**
 * Consumes a message of the local queue, as on AWS.
 *
 * @throws Error if the message must return to the queue. The log has the error.
 */
export async function consumeQueued({ id, message }: QueuedMessage, ports: ConsumePorts): Promise<void> {
  const batch = { Records: [{ messageId: String(id), body: message }] };
  const { batchItemFailures } = await consume(batch, ports).catch((error: unknown) => {
    // The batch has one message, so that the reason of the batch's failure is the message's.
    throw error instanceof Error ? (error.cause ?? error) : error;
  });
  if (batchItemFailures.length > 0) throw new Error("the message was not consumed; the log says why");
}
