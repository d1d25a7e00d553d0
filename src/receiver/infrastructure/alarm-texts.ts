import type { FunctionHandles, Handles } from "./handles.ts";

/** The alarms whose text does not depend on settings. Their names are headings of `docs/guides/receiver-runbook.md`. */
export type AlarmName = keyof typeof alarmTexts;

/** What an alarm tells the person whom it wakes: what happened, what it means, and commands. At most 1024 characters. */
export type AlarmText = (handles: Handles) => string;

type Part = "acknowledge" | "consume" | "reconcile";

const errors = `--filter-pattern '{ $.level = "error" }'`;
const rejections = `--filter-pattern '{ $.message = "webhook rejected" && $.form = "event" }'`;
const notStored = `--filter-pattern '{ $.message = "webhook not stored" }'`;
const withheld = `--filter-pattern '{ $.message = "event withheld" }'`;
const warnings = `--filter-pattern '{ $.level = "warn" }'`;

// The payload of AWS Lambda is 6 MB at most, in base64 ("Lambda quotas"). AWS does not document what API Gateway answers then:
// people report 413 and 502.
const tooLargeForLambda =
  "If its log has no error, no webhook may be lost: anyone can cause such a response with a body of more than about 4.5 MB, also without a token. AWS refuses it before the function runs.";

export const alarmTexts = {
  "not-stored": (handles) =>
    text("not-stored", [
      "The platform got a 5xx response to a webhook, which it does not send again. If neither the queue nor the ledger stored the event, the function's log has its body, and the runbook has the command that sends it again.",
      ...(handles.restApi ? [tooLargeForLambda] : []),
      ["Read why:", tail(handles.acknowledge, handles, errors)],
      ["Count the events in the log:", tail(handles.acknowledge, handles, notStored)],
    ]),
  "not-queued": (handles) =>
    text("not-queued", [
      "The queue did not store a webhook, and the ledger stored it instead. No event is lost: the consumer delivers what is not queued every 5 minutes.",
      ["Read why the queue failed:", tail(handles.acknowledge, handles, warnings)],
    ]),
  rejected: (handles) =>
    text("rejected", [
      "The receiver rejected a request that had a valid token. If its body is too long, or its source is not in allowedSources, the event is lost. If its method is not POST, no event is lost, but somebody else knows the URL: change the token.",
      ["Read the reason and the source:", tail(handles.acknowledge, handles, rejections)],
    ]),
  "refused-events": (handles) =>
    text("refused-events", [
      "Three requests within a day looked like events, and their token is missing or wrong. Either the management console has a webhook URL without its token or with an old one, and all events are lost, or a stranger sends events.",
      ["Read the sources and the times:", tail(handles.acknowledge, handles, rejections, "24h")],
      ["If they are the platform's, do what the output instructions says:", showInstructions(handles)],
    ]),
  "refused-by-aws": (handles) =>
    text("refused-by-aws", [
      handles.restApi
        ? "Within an hour API Gateway or the web ACL refused three requests (100 with a web ACL) before the function ran. With 429, more came than restApi.requestsPerSecond and burst allow: those events are lost. With 403, the web ACL blocked them. With 413, a stranger sent a body of more than 10 MB."
        : "Within an hour AWS refused three requests before the function ran. With 403, somebody has removed the permissions of the URL: all events are lost until the next up with --refresh. With 429, more requests came than the reserved concurrency allows, ten a second for each. With 413, a stranger sent a body of more than 6 MB.",
      [
        handles.restApi
          ? "Read who may invoke the function:"
          : "Read the permissions; there must be two for Principal *:",
        awsCommand(`lambda get-policy --function-name ${handles.acknowledge.name}`, handles),
      ],
      [
        "Read the reserved concurrency:",
        awsCommand(`lambda get-function-concurrency --function-name ${handles.acknowledge.name}`, handles),
      ],
    ]),
  "not-consumed": (handles) =>
    text("not-consumed", [
      "The consumer failed to deliver messages. No event is lost, but they are late: each message is tried every 3 minutes, 10 times, and then moves to the dead-letter queue.",
      ["Read the cause:", tail(handles.consume, handles, errors)],
    ]),
  "dead-letters": (handles) =>
    text("dead-letters", [
      "The dead-letter queue holds messages that the consumer failed to deliver 10 times. Their events are stored for 14 days after they arrived, and no handler has got them.",
      ["Read the cause, and repair it first:", tail(handles.consume, handles, errors, "3h")],
      [
        "Then deliver them again:",
        awsCommand(`sqs start-message-move-task --source-arn ${handles.deadLettersArn}`, handles),
      ],
    ]),
  age: (handles) =>
    text("age", [
      "A message has waited in the queue for 15 minutes. The consumer is throttled or too slow, or its event source mapping is disabled. Messages that failed three times do not count here: not-consumed reports them.",
      [
        "Read the state of the mapping:",
        awsCommand(`lambda list-event-source-mappings --function-name ${handles.consume.name}`, handles),
      ],
      [
        "If it is Disabled, and nobody has disabled it on purpose, enable it:",
        awsCommand("lambda update-event-source-mapping --uuid UUID --enabled", handles),
      ],
    ]),
  unreadable: (handles) =>
    text("unreadable", [
      "A webhook's body is not an event that the receiver can identify. It is in the ledger and on the bus, with the detail type malformed or unknown. A known event_type without its id keeps this detail type, so that rules for it match. Typed handlers do not get it.",
      ["Read its problems:", tail(handles.consume, handles, warnings)],
      ["Read its body:", showEvent(handles)],
    ]),
  reconciled: (handles) =>
    text("reconciled", [
      "Reconciliation published an event that no webhook had reported: the webhook was lost or is late. If not-consumed, age, dead-letters or consume-throttles fires, it is probably still queued: repair the consumer first. If it was lost, others may be lost too: reconciliation cannot find failed runs.",
      ["Read which events:", tail(handles.reconcile, handles, warnings, "2h")],
      ["Then compare the management console with the output instructions:", showInstructions(handles)],
    ]),
  "no-sweep": (handles) =>
    text("no-sweep", [
      "No sweep has come to its end in two intervals, so lost webhooks stay unnoticed. It failed, ran into its limit of 15 minutes, or was never started. A new receiver has this alarm until its first sweep has ended.",
      ["Read its log:", tail(handles.reconcile, handles, "", "3h")],
      ["If the log is empty, nothing starts it: run up with --refresh. To start a sweep now:", invokeSweep(handles)],
    ]),
  withheld: (handles) =>
    text("withheld", [
      "A sweep found more events without a webhook than it may publish, and published none of them. Either many webhooks were lost, or the platform's list of tenants is wrong for now.",
      ["Read which events:", tail(handles.reconcile, handles, withheld, "2h")],
      ["If the tenants are right, publish up to N events:", invokeSweep(handles, "N")],
    ]),
  "key-refused": (handles) =>
    text("key-refused", [
      "The platform answered 401 or 403 to a sweep: the receiver's API key is wrong, expired, or may not list tenants. Until it is right, lost webhooks stay unnoticed.",
      ["Read the platform's answer:", tail(handles.reconcile, handles, errors)],
      ["Set the right key, run up, and start a sweep:", invokeSweep(handles)],
    ]),
} satisfies Record<string, AlarmText>;

/** A function failed as a whole: it threw, ran out of time or memory, or did not start. */
export function errorsText(part: Part, handles: Handles): string {
  const consequences = {
    acknowledge: "The platform got a 5xx response to a webhook, and that event is lost.",
    consume: "No event is lost: its messages return to the queue.",
    reconcile: "The next run continues. Until a run succeeds, lost webhooks stay unnoticed.",
  };
  return text(`${part}-errors`, [
    `The function "${part}" failed. ${consequences[part]}`,
    ["Read its log:", tail(handles[part], handles)],
  ]);
}

/** AWS refused to run a function because of a limit of concurrency. */
export function throttlesText(part: Part, handles: Handles): string {
  const consequences = {
    // API Gateway answers 500 if AWS Lambda refuses an invocation ("Handling Lambda errors with an API Gateway API").
    acknowledge: `The platform got a ${handles.restApi ? 500 : 429} response to a webhook, and that event is lost.`,
    consume: "No event is lost: its messages stay in the queue.",
    reconcile: "AWS tries again for some hours.",
  };
  return text(`${part}-throttles`, [
    `AWS throttled the function "${part}": the account or the function has no concurrency left. ${consequences[part]}`,
    [
      "Read the limit of the function; if it has none, the account's was reached:",
      awsCommand(`lambda get-function-concurrency --function-name ${handles[part]?.name}`, handles),
      awsCommand("lambda get-account-settings", handles),
    ],
  ]);
}

/** No event arrived. */
export function silenceText(hours: number, handles: Handles): string {
  return text("silence", [
    `No event arrived for ${hours} hours, or CloudWatch has no data of the queue. Either nothing happened on the platform, or its webhooks do not arrive.`,
    ["Look for rejected requests:", tail(handles.acknowledge, handles, rejections, `${hours}h`)],
    ["Then compare the management console with the output instructions:", showInstructions(handles)],
  ]);
}

/** The paragraphs of a text: a sentence, or a sentence with its commands. Each command has a line of its own, to be copied. */
export function text(heading: string, paragraphs: readonly (string | readonly [string, ...string[]])[]): string {
  const runbook = `Runbook: docs/guides/receiver-runbook.md, "${heading}"`;
  return [...paragraphs, runbook].map((lines) => [lines].flat().join("\n")).join("\n\n");
}

/** A command of the AWS CLI. */
export function awsCommand(command: string, { region }: Pick<Handles, "region">): string {
  return `aws ${command} --region ${region}`;
}

/** Publishes an event again, found by the stack that has the receiver. */
export function replayCommand(stack: string): string {
  return `integration-platform events replay INGEST_ID --stack ${stack}`;
}

/** Starts a sweep at once. `maximumEvents` is how many events it may publish. Default: as configured. */
function invokeSweep(handles: Handles, maximumEvents?: string): string {
  const payload =
    maximumEvents === undefined
      ? ""
      : ` --cli-binary-format raw-in-base64-out --payload '{"maximumEvents":${maximumEvents}}'`;
  return awsCommand(
    `lambda invoke --function-name ${handles.reconcile?.name} --invocation-type Event${payload} /dev/null`,
    handles,
  );
}

function tail(part: FunctionHandles | undefined, handles: Handles, filter = "", since = "1h"): string {
  return awsCommand(`logs tail ${[part?.log, "--since", since, filter].join(" ").trimEnd()}`, handles);
}

/** Shows all outputs: those of a receiver in YAML are in one named webhookReceiver. */
function showInstructions({ stack }: Handles): string {
  return `pulumi stack output --stack ${stack} --show-secrets`;
}

function showEvent({ region, ledger }: Handles): string {
  return `AWS_REGION=${region} integration-platform events show INGEST_ID --ledger ${ledger}`;
}
