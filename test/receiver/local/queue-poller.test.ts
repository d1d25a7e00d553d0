import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { payload } from "../fixtures.ts";
import { temporaryFile } from "../open-ledger.ts";

test("an event that the bus rejected stays in the queue until a retry succeeds; the others are published once", async () => {
  let failures = 1;
  const published: unknown[] = [];
  const receiver = await startLocalReceiver({
    onEvent: ({ detail }) => {
      const name = detail.event?.tenant_name;
      if (name === "rejected" && failures-- > 0) throw new Error("the bus is down");
      published.push(name);
    },
    log: () => {},
    retrySeconds: 0.01,
  });
  const names = ["first", "rejected", "last"];
  for (const tenant_name of names) {
    const body = JSON.stringify(payload("tenant_archived", { tenant_name }));
    expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(200);
  }
  await receiver.settled();
  expect(published.toSorted()).toEqual(names.toSorted());
  await receiver.close();
});

test("a queue that cannot be read is logged, and consumed once it can be read again", async () => {
  const data = temporaryFile();
  const published: unknown[] = [];
  const logged: LogEntry[] = [];
  const receiver = await startLocalReceiver({
    data,
    onEvent: ({ detail }) => void published.push(detail.body),
    log: (entry) => void logged.push(entry),
    retrySeconds: 0.01,
  });
  const database = new DatabaseSync(data, { timeout: 5_000 });
  database.exec("ALTER TABLE queue RENAME TO hidden");
  const unreadable = { level: "error", message: "the queue cannot be read or written" };
  await expect.poll(() => logged, { timeout: 10_000 }).toContainEqual(expect.objectContaining(unreadable));

  const facts = { version: 1, ingestId: "i", receivedAt: "2026-03-04T05:06:07.000Z", sourceIp: "", encoding: "utf8" };
  database.prepare("INSERT INTO hidden (message) VALUES (?)").run(JSON.stringify({ ...facts, body: "hidden" }));
  database.exec("ALTER TABLE hidden RENAME TO queue");
  await expect.poll(() => published, { timeout: 10_000 }).toEqual(["hidden"]);
  database.close();
  await receiver.close();
});
