import { oneLine } from "../../json/one-line.ts";
import type { BusEvent } from "../delivery/bus-event.ts";

/** Fields that every event has and that do not distinguish it. */
const commonFields = ["event_type", "environment", "account_id", "account_name", "timestamp"];

const maxLength = 500;

/** Formats an event of the bus as one line for a terminal. Control characters in the event are escaped. */
export function eventLine({ detailType, detail }: BusEvent): string {
  const { receivedAt, ingestId, event, reconciled, problems } = detail;
  const mark = reconciled ? " (reconciled)" : "";
  const content = event === undefined ? JSON.stringify(detail.body ?? problems) : fieldsOf(event);
  return `${truncate(oneLine(`${receivedAt} ${detailType}${mark} ${content}`))} [${ingestId}]`;
}

function fieldsOf(event: Record<string, unknown>): string {
  const fields = Object.entries(event).filter(([name]) => !commonFields.includes(name));
  return fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" ");
}

function truncate(line: string): string {
  return line.length > maxLength ? `${line.slice(0, maxLength)}...` : line;
}
