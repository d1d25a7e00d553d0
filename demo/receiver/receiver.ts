import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { z } from "zod";
import type { LambdaName } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { type AlarmChange, type AlarmClock, startAlarmClock } from "../../test/receiver/alarm-clock/alarm-clock.ts";
import { declaredAlarm } from "../../test/receiver/alarm-clock/declared-alarm.ts";
import { serveFunctionUrl } from "./function-url.ts";
import { type Functions, hasFailed, startFunctions } from "./functions.ts";
import { startQueueTrigger } from "./queue-trigger.ts";
import type { ReceiverSandbox } from "./sandbox.ts";

/** The receiver of a stack, at work: what AWS does and moto does not is done here, on a clock that the story advances. */
export interface RunningReceiver extends AsyncDisposable {
  readonly functions: Functions;
  /** The alarms of the stack, evaluated over the metrics of the functions' logs, of the queues and of the invocations. */
  readonly clock: AlarmClock;
  readonly outputs: z.infer<typeof outputsSchema>;
  /** The address to which the platform sends webhooks. */
  readonly url: string;
  /** Lets minutes pass for the platform, the queue, the schedule and the alarms. Resolves to what the alarms said. */
  pass(minutes: number): Promise<readonly AlarmChange[]>;
  /** The lines that a function has logged since the last call. */
  takeLog(part: LambdaName): string[];
}

const outputsSchema = z.object({
  url: z.string(),
  queueUrl: z.string(),
  deadLetterQueueUrl: z.string(),
  deadLetterQueueArn: z.string(),
  ledgerName: z.string(),
  busName: z.string(),
});
const parts = ["acknowledge", "consume", "reconcile"] as const;
const minutesBetweenSweeps = 60;

export async function startReceiver(box: ReceiverSandbox): Promise<RunningReceiver> {
  const { resources } = await box.project.exportState();
  const outputsOf = (type: string, name: string) =>
    resources.find(({ urn }) => urn.endsWith(`${type}::webhook-receiver-${name}`))?.outputs ?? {};
  const names = {
    acknowledge: String(outputsOf("function:Function", "acknowledge").name),
    consume: String(outputsOf("function:Function", "consume").name),
    reconcile: String(outputsOf("function:Function", "reconcile").name),
  };
  const alarms = resources.filter(({ type }) => type.endsWith(":MetricAlarm"));
  const clock = startAlarmClock(alarms.map(({ outputs }) => declaredAlarm(String(outputs.name), outputs)));
  const outputs = outputsSchema.parse(await stackOutput(box));

  await using opened = new AsyncDisposableStack();
  const functions = opened.use(await startFunctions(box, names));
  const ofFunction = (part: LambdaName, metricName: string, value: number) =>
    clock.put({ namespace: "AWS/Lambda", metricName, dimensions: { FunctionName: names[part] } }, value);
  const invoke = async (part: LambdaName, event: unknown) => {
    const result = await functions.invoke(part, event);
    ofFunction(part, "Errors", hasFailed(result) ? 1 : 0);
    return result;
  };
  let sent = 0;
  const { url } = opened.use(
    await serveFunctionUrl(
      new URL(outputs.url).search,
      (event) => invoke("acknowledge", event),
      (status) => {
        ofFunction("acknowledge", "Url5xxCount", status >= 500 ? 1 : 0);
        if (status === 200) sent += 1;
      },
    ),
  );
  const trigger = await startQueueTrigger(box.moto, {
    queueUrl: outputs.queueUrl,
    invoke: (batch) => invoke("consume", batch),
  });
  const queueName = nameOf(outputs.queueUrl);
  const ofQueue = (QueueName: string, metricName: string, value: number) =>
    clock.put({ namespace: "AWS/SQS", metricName, dimensions: { QueueName } }, value);

  const logged = new Map<LambdaName, string>();
  const readLogs = () => {
    for (const part of parts) {
      const added = functions.newLog(part);
      clock.readLog(added);
      logged.set(part, (logged.get(part) ?? "") + added);
    }
  };
  clock.everyMinute(async () => {
    box.signal.throwIfAborted();
    await box.platform.emulator.advance({ seconds: 60 });
    await box.platform.emulator.settled();
    await trigger.poll(clock.minute);
    if (clock.minute % minutesBetweenSweeps === 0) await invoke("reconcile", {});
    ofQueue(queueName, "NumberOfMessagesSent", sent);
    ofQueue(queueName, "ApproximateAgeOfOldestMessage", trigger.oldestAgeSeconds(clock.minute));
    for (const [name, count] of await visibleMessages(box)) ofQueue(name, "ApproximateNumberOfMessagesVisible", count);
    sent = 0;
    readLogs();
  });

  const disposables = opened.move();
  return {
    functions: {
      ...functions,
      restart: async (part, overrides) => {
        readLogs(); // a new process begins a new log
        await functions.restart(part, overrides);
      },
    },
    clock,
    outputs,
    url,
    pass: (minutes) => clock.advance(minutes),
    takeLog: (part) => {
      readLogs();
      const text = logged.get(part) ?? "";
      logged.delete(part);
      return text.split("\n").filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

async function stackOutput({ pulumi }: ReceiverSandbox): Promise<unknown> {
  return JSON.parse(await pulumi("stack", "output", "webhookReceiver", "--json", "--show-secrets"));
}

/** The messages that wait in each queue of moto, by the queue's name. */
async function visibleMessages({ moto }: ReceiverSandbox): Promise<[name: string, count: number][]> {
  const sqs = new SQSClient(moto.client);
  const { QueueUrls: urls = [] } = await sqs.send(new ListQueuesCommand());
  const counts = urls.map(async (QueueUrl): Promise<[string, number]> => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] });
    const { Attributes: attributes } = await sqs.send(command);
    return [nameOf(QueueUrl), Number(attributes?.ApproximateNumberOfMessages)];
  });
  return Promise.all(counts);
}

function nameOf(queueUrl: string): string {
  return queueUrl.slice(queueUrl.lastIndexOf("/") + 1);
}
