import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { BusEvent } from "../../../src/receiver/delivery/bus-event.ts";
import { enqueue, replayMessage, startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import { payload } from "../fixtures.ts";
import { temporaryFile } from "../open-ledger.ts";
import { startProcess } from "./receiver-process.ts";

/** Another process at a receiver's file: reads records, and asks for replays. */
function beside(data: string) {
  const database = new DatabaseSync(data, { timeout: 5_000 });
  onTestFinished(() => database.close());
  const read = (sql: string) => database.prepare(sql).all();
  return {
    read,
    ingestIds: () => read("SELECT ingest_id FROM records ORDER BY received_at").map((row) => String(row.ingest_id)),
    replay: (ingestId: string, replayId: string) => enqueue(database, replayMessage(ingestId, replayId)),
  };
}

async function post(url: string, body: string): Promise<void> {
  expect((await fetch(url, { method: "POST", body })).status).toBe(200);
}

const pollOptions = { timeout: 10_000 };

test("a running receiver publishes a record again: the same event, with a replay id, and no second record", async () => {
  const data = temporaryFile();
  const published: BusEvent[] = [];
  const receiver = await startLocalReceiver({ data, onEvent: (event) => void published.push(event), log: () => {} });
  const bodies = [JSON.stringify(payload("run_failed", { extra: 1 })), JSON.stringify({ event_type: "new" }), "nope"];
  for (const body of bodies) await post(receiver.url, body);
  await receiver.settled();
  const first = published.splice(0);

  const { ingestIds, replay, read } = beside(data);
  const records = read("SELECT * FROM records");
  for (const ingestId of ingestIds()) replay(ingestId, "again");
  await expect.poll(() => published, pollOptions).toHaveLength(3);
  await receiver.close();

  const byId = (one: BusEvent, other: BusEvent) => one.detail.ingestId.localeCompare(other.detail.ingestId);
  expect(published.toSorted(byId)).toEqual(
    first.toSorted(byId).map(({ detailType, detail }) => ({ detailType, detail: { ...detail, replayId: "again" } })),
  );
  expect(read("SELECT * FROM records")).toEqual(records);
  expect(read("SELECT * FROM queue")).toEqual([]);
});

test("a stopped receiver publishes at its next start; the line says that the event is replayed", async () => {
  const data = temporaryFile();
  const first = startProcess("--port", "0", "--data", data);
  await post(await first.url(), JSON.stringify(payload("run_failed")));
  await first.end("SIGTERM");
  const { ingestIds, replay } = beside(data);
  const [ingestId = ""] = ingestIds();
  replay(ingestId, "r-1");

  const second = startProcess("--port", "0", "--data", data);
  const line = new RegExp(`^\\S+Z info run_failed \\(replay r-1\\) run_id=\\d+ .* \\[${ingestId}\\]$`, "m");
  await expect.poll(second.stdout, pollOptions).toMatch(line);
});

test("a replay of a record that does not exist is reported, and dropped", async () => {
  const data = temporaryFile();
  const receiver = startProcess("--port", "0", "--data", data);
  await receiver.url();
  const { replay, read } = beside(data);
  replay("nobody", "r-1");
  await expect
    .poll(receiver.stderr, pollOptions)
    .toMatch(/^\S+Z error the ledger has no event to replay ingestId="nobody" replayId="r-1"$/m);
  await expect.poll(() => read("SELECT * FROM queue"), pollOptions).toEqual([]);
});
