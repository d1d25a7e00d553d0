import type { FunctionHandles, Handles } from "./handles.ts";

/** The alarms whose text does not depend on settings. Their names are the headings of `docs/receiver-runbook.md`. */
export type AlarmName = keyof typeof alarmTexts;

/** What an alarm tells the person whom it wakes: what happened, what it means, and a command. At most 1024 characters. */
export type AlarmText = (handles: Handles) => string;

const errors = `--filter-pattern '{ $.level = "error" }'`;
const warnings = `--filter-pattern '{ $.level = "warn" }'`;

export const alarmTexts = {
  "not-enqueued": (handles) =>
    text(
      "The platform got a 5xx response to a webhook. It does not send a webhook again: the event is lost, unless it is a created or archived tenant, which reconciliation finds.",
      `Read why the queue did not store it: ${tail(handles.acknowledge, handles, errors)}`,
      "not-enqueued",
    ),
  rejected: (handles) =>
    text(
      "The receiver rejected a webhook that had a valid token: its body is too long, its method is not POST, or its source is not in allowedSources. The event is lost.",
      `Read the reason and the source: ${tail(handles.acknowledge, handles, warnings)}`,
      "rejected",
    ),
  "wrong-tokens": (handles) =>
    text(
      "Five requests within an hour had a token that is not valid. Either the platform still has an old webhook URL, and all its events are lost, or a stranger is guessing.",
      `Read the sources: ${tail(handles.acknowledge, handles, warnings, "1h")} If they are the platform's, run "pulumi stack output instructions --show-secrets" and enter that URL.`,
      "wrong-tokens",
    ),
  "not-consumed": (handles) =>
    text(
      "The consumer failed to deliver messages. No event is lost: each message returns to the queue and is tried every 3 minutes, 10 times, and then moves to the dead-letter queue. Until then its event is late.",
      `Read the cause: ${tail(handles.consume, handles, errors)}`,
      "not-consumed",
    ),
  "dead-letters": (handles) =>
    text(
      "The dead-letter queue holds messages that the consumer failed to deliver ten times. Their events are stored for 14 days, and nobody has been told of them.",
      `Fix the cause first: ${tail(handles.consume, handles, errors, "3h")} Then deliver them again: aws sqs start-message-move-task --source-arn ${handles.deadLettersArn} --region ${handles.region}`,
      "dead-letters",
    ),
  age: (handles) =>
    text(
      "A message has waited in the queue for 15 minutes. Nothing consumes it: the consumer is throttled, too slow, or its event source mapping is disabled. Messages that failed three times do not count here; the alarm not-consumed reports them.",
      `Look at the mapping: aws lambda list-event-source-mappings --function-name ${handles.consume.name} --region ${handles.region}`,
      "age",
    ),
  unreadable: (handles) =>
    text(
      "A webhook's body is not an event that the receiver knows: it is malformed, or its event_type is not in the specification. It is in the ledger and on the bus, with the detail type malformed or unknown. Handlers of known events do not get it.",
      `Read its problems: ${tail(handles.consume, handles, warnings)} Read the body: AWS_REGION=${handles.region} integration-platform events show <ingestId> --ledger ${handles.ledger}`,
      "unreadable",
    ),
  unverified: (handles) =>
    text(
      "The platform does not confirm an event that a webhook reported. Either somebody else knows the webhook URL, or the platform reported something that is not so. The event is on the bus with the detail type unverified: handlers of known events do not get it.",
      `Read what the platform shows: ${tail(handles.consume, handles, warnings)} If the event is forged, change the token now.`,
      "unverified",
    ),
  reconciled: (handles) =>
    text(
      "Reconciliation published an event of which no webhook came. This proves that a webhook was lost. Other events may be lost too, and reconciliation cannot find failed runs.",
      `See which: ${tail(handles.reconcile, handles, warnings, "2h")} Then look for the loss: the alarms not-enqueued and wrong-tokens, the URL and the toggles in the management console.`,
      "reconciled",
    ),
} satisfies Record<string, AlarmText>;

/** A function failed as a whole: it threw, ran out of time or memory, or did not start. */
export function errorsText(part: "acknowledge" | "consume" | "reconcile", handles: Handles): string {
  const consequences = {
    acknowledge: "The platform got a 5xx response to a webhook, and that event is lost.",
    consume: "No event is lost: its messages return to the queue.",
    reconcile: "The next run continues. Until a run succeeds, lost webhooks stay unnoticed.",
  };
  return text(
    `The function "${part}" failed. ${consequences[part]}`,
    `Read its log: ${tail(handles[part], handles)}`,
    `${part}-errors`,
  );
}

/** AWS refused to run a function because of a limit of concurrency. */
export function throttlesText(part: "acknowledge" | "consume" | "reconcile", handles: Handles): string {
  const consequences = {
    acknowledge: "The platform got a 429 response to a webhook, and that event is lost.",
    consume: "No event is lost: its messages stay in the queue.",
    reconcile: "AWS tries again for some hours.",
  };
  return text(
    `AWS throttled the function "${part}": the account or the function has no concurrency left. ${consequences[part]}`,
    `Read the account's limit: aws lambda get-account-settings --region ${handles.region} Raise the quota, or set reservedConcurrency for the acknowledging function.`,
    `${part}-throttles`,
  );
}

/** No event arrived. */
export function silenceText(hours: number, handles: Handles): string {
  return text(
    `No event arrived for ${hours} hours, or CloudWatch has no data of the queue. Either nothing happened on the platform, or its webhooks do not arrive.`,
    `Look for rejected requests: ${tail(handles.acknowledge, handles, warnings, `${hours}h`)} Then compare the URL and the toggles in the management console with "pulumi stack output instructions --show-secrets".`,
    "silence",
  );
}

function text(meaning: string, command: string, heading: string): string {
  return `${meaning}\n\n${command}\n\nRunbook: docs/receiver-runbook.md, "${heading}"`;
}

function tail(part: FunctionHandles | undefined, { region }: Handles, filter = "", since = "1h"): string {
  return `aws logs tail ${part?.log} --since ${since} --region ${region} ${filter}`.trimEnd();
}
