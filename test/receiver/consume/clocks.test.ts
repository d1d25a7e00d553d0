import { expect, test } from "vitest";
import { consume } from "../../../src/receiver/consume/consume.ts";
import { encodeMessage } from "../../../src/receiver/message.ts";
import { payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";
import { failingPorts } from "./failing-ports.ts";

/** When reconciliation told of the archived tenant, by our clock. */
const at = "2026-03-04T05:06:00.000Z";

test.each([
  ["half a minute ahead of ours, late: the bus has been told", "2026-03-04T05:06:30Z", "late", 0],
  ["five minutes ahead, news: the tenant came back and was archived again", "2026-03-04T05:11:00Z", "published", 1],
])("a webhook is, by a platform's clock %s", async (_, timestamp, status, publishedCount) => {
  const ports = { ...failingPorts(openLedger()), log: () => undefined };
  const event = payload("tenant_archived", { timestamp });
  const subject = { tenantId: Number(event.tenant_id), happening: "archived" } as const;
  await ports.ledger.sight(subject, { state: "reconciled", at, ingestId: "reconciled-1" }, []);
  const body = Buffer.from(JSON.stringify(event));
  const message = encodeMessage({ ingestId: "i-1", receivedAt: "2026-03-04T05:12:00.000Z", sourceIp: "", body });

  await consume(message ?? "", ports);

  expect(await ports.ledger.find("i-1")).toMatchObject({ status });
  expect(ports.published).toHaveLength(publishedCount);
});
