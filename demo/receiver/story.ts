import assert from "node:assert/strict";
import { SQSClient, StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import { say, show } from "../say.ts";
import { eventLines, takeEvents } from "./on-call-queue.ts";
import { alarmLines, logLines } from "./printed.ts";
import { type RunningReceiver, startReceiver } from "./receiver.ts";
import { type ReceiverSandbox, stackName } from "./sandbox.ts";

/** What has just happened, for somebody who looks at AWS and at the platform before the story goes on. */
export type Step =
  | "up"
  | "run failed"
  | "queue down"
  | "reconciled"
  | "consumer broken"
  | "given up"
  | "repaired"
  | "replayed";

/** The receiver while the story runs. */
export interface Scene {
  readonly step: Step;
  readonly receiver: RunningReceiver;
}

/** Tells what an operator of the receiver sees when a run fails, when the queue is down and when the consumer is broken. */
export async function* receiverStory(box: ReceiverSandbox): AsyncGenerator<Scene, void> {
  say("0. What stands for what.");
  say(
    "AWS is moto, on this machine. AWS's own runtime runs the functions, with the bundles that the real engine deploys.",
  );
  say(
    "The platform is our emulator. moto serves no function URL, polls no queue and evaluates no alarm: the demo does so,",
  );
  say("as AWS documents it, on a clock whose minutes pass at once.");

  say("1. A token for the receiver's URL, and `pulumi up`:");
  await box.pulumi("config", "set", "--secret", "--path", "integration-platform:webhookReceiver.tokens[0]", box.token);
  show(await box.pulumi("up", "--yes", "--skip-preview"), /webhookReceiver|: +(?:"|\[secret\])|^ +\+ \d+ created/);
  await using receiver = await startReceiver(box);
  const scene = (step: Step): Scene => ({ step, receiver });
  await configureWebhook(box, receiver);
  await receiver.pass(1);
  say("The URL is in the platform's settings now, and all toggles are on. The first sweep of the reconciler:");
  showLog(receiver, "reconcile");
  yield scene("up");

  say("2. A RUN FAILS. acme's sync fails, and the platform sends one webhook.");
  await sync(box, "acme");
  await showAlarms(receiver, 5);
  say("The receiver's answer to the webhook:");
  showLastWebhook(box);
  say("The logs of its functions:");
  showLog(receiver, "acknowledge", "consume");
  const events = await takeEvents(box);
  say("What the queue `on-call` gets from the bus (`onEvent` of demo/receiver/stack.yaml):");
  show(eventLines(events));
  say("`integration-platform events show` prints what the ledger has of it, and the webhook's body:");
  show(await command(box, "events", "show", "--stack", stackName, events[0]?.detail.ingestId ?? ""));
  yield scene("run failed");

  say("3. QUEUE AND LEDGER ARE DOWN. The function reaches neither, and a customer installs cedar.");
  await receiver.functions.restart("acknowledge", { QUEUE_URL: nowhere, AWS_ENDPOINT_URL: nowhere });
  await install(box, "cedar");
  await showAlarms(receiver, 5);
  say("The platform got this response, and sends nothing again:");
  showLastWebhook(box);
  say("The log of `acknowledge`:");
  showLog(receiver, "acknowledge");
  yield scene("queue down");

  say("AWS is back. Within an hour, the reconciler compares the platform's tenants with the ledger:");
  await receiver.functions.restart("acknowledge");
  await showAlarms(receiver, 60);
  showLog(receiver, "reconcile");
  show(eventLines(await takeEvents(box)));
  yield scene("reconciled");

  say("4. THE CONSUMER IS BROKEN: after a wrong deployment it knows another table. acme's sync fails again.");
  await receiver.functions.restart("consume", { LEDGER_TABLE: "webhook-receiver-ledger-of-yesterday" });
  await sync(box, "acme");
  await showAlarms(receiver, 5);
  showLastWebhook(box);
  say("The log of `consume`:");
  showLog(receiver, "consume");
  yield scene("consumer broken");

  say("Nobody looks for half an hour. SQS shows the message again three minutes after each failure, ten times in all:");
  await showAlarms(receiver, 30);
  receiver.takeLog("consume");
  yield scene("given up");

  say("The deployment is taken back, and somebody runs `aws sqs start-message-move-task`:");
  await receiver.functions.restart("consume");
  await new SQSClient(box.moto.client).send(
    new StartMessageMoveTaskCommand({ SourceArn: receiver.outputs.deadLetterQueueArn }),
  );
  await showAlarms(receiver, 5);
  showLog(receiver, "consume");
  show(eventLines(await takeEvents(box)));
  yield scene("repaired");

  say(
    "5. THE EVENTS AGAIN. Somebody finds a bug in what reads the queue `on-call`, and repairs it. What the ledger has:",
  );
  show(await command(box, "events", "list", "--stack", stackName, "--type", "run_failed"));
  say("`integration-platform events replay --type run_failed --yes`:");
  show(await command(box, "events", "replay", "--stack", stackName, "--type", "run_failed", "--yes"));
  show(eventLines(await takeEvents(box)));
  yield scene("replayed");

  say(
    "What to do at each alarm: docs/guides/receiver-runbook.md. Done. The demo ends moto, the runtime and the emulator, and deletes its state.",
  );
}

/** Runs `integration-platform` and returns what it prints. */
async function command(box: ReceiverSandbox, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await box.command(...args);
  if (code !== 0) throw new Error(`integration-platform ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

const nowhere = "http://127.0.0.1:9"; // nothing listens on the port for discarded messages

async function configureWebhook({ platform }: ReceiverSandbox, { url }: RunningReceiver) {
  await install({ platform }, "acme");
  const keys = [
    "integration_created",
    "tenant_created",
    "tenant_archived",
    "partner_integration_updated",
    "run_failed",
  ];
  const notifications = Object.fromEntries(keys.map((key) => [key, { send_webhook: true }]));
  await platform.call("PATCH", "/_emulator/settings", { webhook_url: url, notifications });
}

/** Requests a sync, which runs while the demo's next minutes pass. */
async function sync({ platform }: ReceiverSandbox, name: string) {
  const { id } = await platform.tenant(name);
  await platform.call("POST", `/v2/tenants/${id}/sync?mode=normal`);
}

/** Installs a tenant as a customer does, from the marketplace. */
async function install({ platform }: Pick<ReceiverSandbox, "platform">, name: string) {
  await platform.call("POST", "/_emulator/tenants", { integration: "crm-to-billing", name, user_name: "user-1" });
}

function showLastWebhook({ platform }: ReceiverSandbox) {
  const last = platform.emulator.deliveries().at(-1);
  assert.ok(last);
  show(`${last.event}: ${last.status} after ${last.milliseconds} ms`);
}

function showLog(receiver: RunningReceiver, ...parts: Parameters<RunningReceiver["takeLog"]>[0][]) {
  for (const part of parts) show(logLines(part, receiver.takeLog(part)));
}

/** Lets minutes pass, and shows whom the alarms notified of what. */
async function showAlarms(receiver: RunningReceiver, minutes: number) {
  const before = receiver.clock.minute;
  await receiver.pass(minutes);
  const lines = alarmLines(receiver.clock.changes, before);
  if (lines === "") say(`No alarm starts or ends within ${minutes} minutes.`);
  else show(lines);
}
