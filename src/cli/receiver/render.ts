import { oneLine } from "../../json/one-line.ts";
import type { BusEvent } from "../../receiver/delivery/bus-event.ts";
import type { LogEntry } from "../../receiver/log.ts";
import { hideCredentials } from "../../settings/hide-credentials.ts";

/** Fields that every event has and that do not distinguish it. */
const commonFields = ["event_type", "environment", "account_id", "account_name", "timestamp"];

const maxLength = 500;

/** An older event also shows when it was received. */
const maxAgeSeconds = 60;

/**
 * Formats an event of the bus as one line for a terminal: time, level, detail type, fields and ingest id. The level of an
 * event with problems is `warn`. Control characters in the event are escaped.
 *
 * @param time when the event was published, ISO 8601, UTC. Default: now.
 */
export function eventLine({ detailType, detail }: BusEvent, time = new Date().toISOString()): string {
  const { event, body, problems, ingestId } = detail;
  const level = problems.length > 0 ? "warn" : "info";
  const content = event === undefined ? hideCredentials(JSON.stringify(body ?? problems)) : fieldsOf(event);
  const text = oneLine([time, level, detailType, ...marksOf(detail, time), content].join(" "));
  return `${truncate(text)} [${oneLine(ingestId)}]`;
}

function marksOf({ reconciled, replayId, receivedAt }: BusEvent["detail"], time: string): string[] {
  const isOld = Date.parse(time) - Date.parse(receivedAt) > maxAgeSeconds * 1000;
  const marks = [
    ...(reconciled ? ["reconciled"] : []),
    ...(replayId === undefined ? [] : [`replay ${replayId}`]),
    ...(isOld ? [`received ${receivedAt}`] : []),
  ];
  return marks.length === 0 ? [] : [`(${marks.join(", ")})`];
}

function fieldsOf(event: Record<string, unknown>): string {
  return factsAsText(Object.fromEntries(Object.entries(event).filter(([name]) => !commonFields.includes(name)))).join(
    " ",
  );
}

function truncate(line: string): string {
  return line.length > maxLength ? `${line.slice(0, maxLength)}...` : line;
}

/**
 * Formats a log entry as one line for a terminal: time, level, message, and the facts as `name=value` with JSON values.
 * Control characters are escaped. Metrics are left out, because each counts what its line says.
 *
 * @param time ISO 8601, UTC. Default: now.
 */
export function logLine({ level, message, metrics: _, ...facts }: LogEntry, time = new Date().toISOString()): string {
  return oneLine([time, level, message, ...factsAsText(facts)].join(" "));
}

/** Values that are undefined are left out. */
function factsAsText(facts: Readonly<Record<string, unknown>>): string[] {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
}
