import { expect, test } from "vitest";
import { eventLine, logLine } from "../../../src/cli/receiver/render.ts";
import type { BusEvent } from "../../../src/receiver/delivery/bus-event.ts";
import { payload } from "../../receiver/fixtures.ts";

const time = "2026-03-04T05:06:07.000Z";

function lineOf(detail: Partial<BusEvent["detail"]>): string {
  const facts = {
    ingestId: "i-1",
    receivedAt: "2026-03-04T05:06:06.000Z",
    reconciled: false,
    isWhole: true,
    problems: [],
  };
  const event = payload("tenant_archived", { tenant_name: "acme" });
  return eventLine({ detailType: "tenant_archived", detail: { ...facts, event, ...detail } }, time);
}

test("an event's line has the time, the level, the detail type, the fields that distinguish it, and the ingest id", () => {
  expect(lineOf({})).toMatch(
    /^2026-03-04T05:06:07\.000Z info tenant_archived tenant_id=\d+ tenant_name="acme" .* \[i-1\]$/,
  );
  expect(lineOf({})).not.toContain("account_id");
});

test.each<[string, Partial<BusEvent["detail"]>, string]>([
  ["with problems is a warning", { problems: ["tenant_name: missing"] }, " warn tenant_archived tenant_id="],
  ["that was reconciled says so", { reconciled: true }, " info tenant_archived (reconciled) tenant_id="],
  ["that is replayed says so", { replayId: "r-1" }, " info tenant_archived (replay r-1) tenant_id="],
  [
    "that is old also shows when it was received",
    { replayId: "r-1", receivedAt: "2026-03-01T00:00:00.000Z" },
    " info tenant_archived (replay r-1, received 2026-03-01T00:00:00.000Z) tenant_id=",
  ],
])("an event %s", (_, detail, text) => {
  expect(lineOf(detail)).toContain(text);
});

test("a log line has the time, the level, the message and the facts, but no metrics", () => {
  const error = { name: "Error", message: "the bus is down" };
  const entry = { level: "error", message: "message not consumed", metrics: { MessagesNotConsumed: 1 } } as const;
  expect(logLine({ ...entry, ingestId: "i-1", tenantId: undefined, error }, time)).toBe(
    '2026-03-04T05:06:07.000Z error message not consumed ingestId="i-1" error={"name":"Error","message":"the bus is down"}',
  );
});

test("control characters in a line are escaped", () => {
  const evil = "\u001b]0;owned\u0007\r\n\u202e";
  const lines = [
    lineOf({ ingestId: evil, replayId: evil }),
    logLine({ level: "warn", message: evil, [evil]: evil }, time),
  ];
  expect(lines.join("")).not.toMatch(/\p{Cc}|\u202e/u);
});
