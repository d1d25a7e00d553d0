import { inLine } from "../../in-line.ts";
import type { BusEvent } from "../ports.ts";

/** What stands in every event, and says nothing about this one. */
const commonFields = ["event_type", "environment", "account_id", "account_name", "timestamp"];

const maxLength = 500;

/** An event of the bus in one line for a terminal. What came from outside cannot do more than be read. */
export function eventLine({ detailType, detail }: BusEvent): string {
  const { receivedAt, ingestId, event, reconciled, problems } = detail;
  const mark = reconciled ? " (reconciled)" : "";
  const text = event === undefined ? JSON.stringify(detail.body ?? problems) : fieldsOf(event);
  return cut(inLine(`${receivedAt} ${detailType}${mark} ${text}`), ` [${ingestId}]`);
}

function fieldsOf(event: Record<string, unknown>): string {
  const fields = Object.entries(event).filter(([name]) => !commonFields.includes(name));
  return fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" ");
}

function cut(text: string, end: string): string {
  return (text.length > maxLength ? `${text.slice(0, maxLength)}...` : text) + end;
}
