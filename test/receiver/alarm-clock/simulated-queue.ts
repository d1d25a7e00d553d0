import type { BatchFailures, QueueBatch } from "../../../src/receiver/consume/consume.ts";
import type { AlarmClock } from "./alarm-clock.ts";

/** A queue on the clock, with a dead-letter queue and an event source mapping that invokes the consumer. */
export interface SimulatedQueue {
  send(body: string): void;
  /** The bodies of the messages that were given up. */
  readonly deadLetters: string[];
  /** Moves the dead letters back to the queue. */
  redrive(): void;
  /** How many messages are in the queue, those being consumed included. */
  readonly length: number;
  /** False stops the event source mapping: nothing is received. Default true. */
  isConsumed: boolean;
}

export interface SimulatedQueueSettings {
  readonly queueName: string;
  readonly deadLettersName: string;
  readonly visibilitySeconds: number;
  readonly maxReceiveCount: number;
  readonly consumerName: string;
  /** Invokes the consumer. Rejects if the invocation fails. */
  readonly consume: (batch: QueueBatch) => Promise<BatchFailures>;
}

interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  receiveCount: number;
  /** The minute in which the message can be received again. */
  visibleAt: number;
}

const batchSize = 10;
const maxCountOfAge = 3;
const activeMinutes = 6 * 60;

/** Creates a queue whose messages are consumed in each minute of the clock. It reports the metrics of SQS and Lambda. */
export function simulateQueue(clock: AlarmClock, settings: SimulatedQueueSettings): SimulatedQueue {
  let messages: Message[] = [];
  let sent = 0;
  let lastId = 0;
  let lastActivity = 0;
  const queue: SimulatedQueue = {
    deadLetters: [],
    isConsumed: true,
    get length() {
      return messages.length;
    },
    send: (body) => {
      add(body);
      sent += 1;
    },
    redrive: () => queue.deadLetters.splice(0).forEach(add),
  };
  const add = (body: string) => {
    const messageId = `message-${++lastId}`;
    messages.push({ messageId, body, sentAt: clock.minute, receiveCount: 0, visibleAt: clock.minute });
  };
  const ofConsumer = (metricName: string, value: number) =>
    clock.put({ namespace: "AWS/Lambda", metricName, dimensions: { FunctionName: settings.consumerName } }, value);
  const ofQueue = (QueueName: string, metricName: string, value: number) =>
    clock.put({ namespace: "AWS/SQS", metricName, dimensions: { QueueName } }, value);

  const receive = async () => {
    const visible = messages.filter(({ visibleAt }) => visibleAt <= clock.minute);
    const [given, received] = partition(visible, ({ receiveCount }) => receiveCount >= settings.maxReceiveCount);
    // SQS moves a message instead of delivering it once more than the maximum.
    queue.deadLetters.push(...given.map(({ body }) => body));
    messages = messages.filter((message) => !given.includes(message));
    for (const message of received) {
      message.receiveCount += 1;
      message.visibleAt = clock.minute + settings.visibilitySeconds / 60;
    }
    for (let start = 0; start < received.length; start += batchSize) {
      const batch = received.slice(start, start + batchSize);
      const failed = await invoke(batch);
      messages = messages.filter((message) => !batch.includes(message) || failed.includes(message.messageId));
    }
  };

  const invoke = async (batch: readonly Message[]): Promise<string[]> => {
    ofConsumer("Invocations", 1);
    try {
      const { batchItemFailures } = await settings.consume({ Records: batch });
      ofConsumer("Errors", 0);
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    } catch {
      ofConsumer("Errors", 1); // the whole batch returns to the queue
      return batch.map(({ messageId }) => messageId);
    }
  };

  clock.everyMinute(async () => {
    if (queue.isConsumed) await receive();
    if (queue.isConsumed || sent > 0) lastActivity = clock.minute;
    // SQS reports metrics for six hours after the last request. The mapping polls an empty queue too.
    if (clock.minute > lastActivity + activeMinutes) return;
    ofQueue(settings.queueName, "NumberOfMessagesSent", sent);
    sent = 0;
    // Messages that were received three times do not count (Amazon SQS, "Available CloudWatch metrics").
    const ages = messages
      .filter(({ receiveCount }) => receiveCount < maxCountOfAge)
      .map(({ sentAt }) => (clock.minute + 1 - sentAt) * 60);
    ofQueue(settings.queueName, "ApproximateAgeOfOldestMessage", Math.max(0, ...ages));
    ofQueue(settings.deadLettersName, "ApproximateNumberOfMessagesVisible", queue.deadLetters.length);
  });
  return queue;
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
