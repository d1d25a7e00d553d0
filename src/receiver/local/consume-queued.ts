import { type ConsumePorts, consume } from "../consume/consume.ts";
import { busEventOfRecord } from "../delivery/bus-event.ts";
import { describeError } from "../log.ts";
import { decodeReplay, type Replay } from "./replay-message.ts";
import type { QueuedMessage } from "./sqlite-queue.ts";

/**
 * Consumes a message of the local queue. A webhook is consumed as on AWS; a replay publishes a record of the ledger again.
 *
 * @throws Error if the message must return to the queue. The log has the error.
 */
export async function consumeQueued({ id, message }: QueuedMessage, ports: ConsumePorts): Promise<void> {
  const messageId = String(id);
  const replay = decodeReplay(message);
  if (replay === undefined) return consumeWebhook({ messageId, body: message }, ports);
  try {
    await publishAgain(replay, ports);
    ports.log({ level: "info", message: "event replayed", ...replay });
  } catch (error) {
    ports.log({ level: "error", message: "event not replayed", messageId, ...replay, error: describeError(error) });
    throw error;
  }
}

async function consumeWebhook(record: { messageId: string; body: string }, ports: ConsumePorts): Promise<void> {
  const { batchItemFailures } = await consume({ Records: [record] }, ports).catch((error: unknown) => {
    // The batch has one message, so that the reason of the batch's failure is the message's.
    throw error instanceof Error ? (error.cause ?? error) : error;
  });
  if (batchItemFailures.length > 0) throw new Error("the message was not consumed; the log says why");
}

async function publishAgain({ ingestId, replayId }: Replay, { ledger, bus }: ConsumePorts): Promise<void> {
  const record = await ledger.find(ingestId);
  if (record === undefined) throw new Error(`cannot replay ${ingestId}: the ledger has no such record`);
  await bus.publish(busEventOfRecord(record, { replayId }));
}
