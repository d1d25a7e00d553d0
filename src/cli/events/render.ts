import { isUtf8 } from "node:buffer";
import { oneLine } from "../../json/one-line.ts";
import { busEventOfRecord } from "../../receiver/delivery/bus-event.ts";
import type { ListedRecord, RecordQuery } from "../../receiver/ledger/ledger.ts";
import { clip, table } from "../fit.ts";
import { toJson } from "../output.ts";
import { utcMinute } from "../times.ts";
import type { StoredRecord } from "./event-store.ts";

/** A list for programs. */
export function renderListJson(query: RecordQuery, records: readonly ListedRecord[]): string {
  return toJson({ since: query.since, until: query.until, events: records });
}

/** A list as a table. It has whole ingest ids, for `events show` and `events replay`, so it may be wider than 80 columns. */
export function renderList(query: RecordQuery, records: readonly ListedRecord[]): string {
  const { since, until = "" } = query;
  const period = `from ${utcMinute(since)} to ${utcMinute(until)} UTC`;
  if (records.length === 0) return `No events ${period}.\n`;
  const rows = records.map((record) => [
    utcSecond(record.receivedAt),
    eventOf(record),
    String(record.tenantId ?? "-"),
    String(record.runId ?? "-"),
    record.reconciled ? `${record.status}, reconciled` : record.status,
    oneLine(record.ingestId),
  ]);
  const header = ["RECEIVED (UTC)", "EVENT", "TENANT", "RUN", "STATUS", "INGEST ID"];
  return `${table([header, ...rows])}\n\n${countOf(records, period)}.\n`;
}

/**
 * An event with its problems and its body.
 *
 * @param isTerminal whether a terminal shows it: then without the control characters of the body, which could command it.
 */
export function renderShown(stored: StoredRecord, isTerminal = false): string {
  const { body, ...record } = stored;
  const facts = {
    "ingest id": record.ingestId,
    received: record.receivedAt,
    from: record.reconciled ? "reconciliation" : (record.sourceIp ?? "-"),
    event: eventOf(record),
    tenant: String(record.tenantId ?? "-"),
    run: String(record.runId ?? "-"),
    status: record.status,
    body: `${body.byteLength} bytes${isUtf8(body) ? "" : ", not UTF-8, shown in base64"}`,
  };
  const problems = problemsOf(stored).map((problem, index) => [index === 0 ? "problems" : "", oneLine(problem)]);
  const rows = [...Object.entries(facts).map(([name, value]) => [name, oneLine(value)]), ...problems];
  return `${table(rows)}\n\n${isTerminal ? printable(textOf(body)) : textOf(body)}\n`;
}

/** An event with its problems and its body, for programs. */
export function renderShownJson(stored: StoredRecord): string {
  const { body, ...record } = stored;
  return toJson({
    ...record,
    problems: problemsOf(stored),
    body: textOf(body),
    bodyEncoding: isUtf8(body) ? "utf8" : "base64",
  });
}

/** The problems that the event has on the bus. The ledger has only the body. */
function problemsOf(stored: StoredRecord): readonly string[] {
  return busEventOfRecord(stored).detail.problems;
}

/** How many events of which kind: `3 events from 01:00 to 02:00: 2 run_failed, 1 not JSON`. */
export function countOf(records: readonly ListedRecord[], period: string): string {
  const groups = [...Map.groupBy(records, eventOf)].sort(([, one], [, other]) => other.length - one.length);
  const counts = groups.map(([event, { length }]) => `${length} ${event}`);
  return `${records.length} ${records.length === 1 ? "event" : "events"} ${period}: ${counts.join(", ")}`;
}

/** The type of a known event. For anything else, what it is: `malformed run_failed`, `not JSON`. */
function eventOf({ kind, eventType = "" }: ListedRecord): string {
  return clip(oneLine(kind === "known" ? eventType : `${kind} ${eventType}`.trim()), maxEventLength);
}

const maxEventLength = 50;

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString(isUtf8(body) ? "utf8" : "base64");
}

function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, "");
}

/** `2026-11-22 14:05:09` of a time in ISO 8601. */
function utcSecond(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}
