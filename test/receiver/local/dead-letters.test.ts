import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { startLocalReceiver } from "../../../src/receiver/local/local-receiver.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { payload } from "../fixtures.ts";
import { temporaryFile } from "../open-ledger.ts";
import { startProcess } from "./receiver-process.ts";

/** Reads the tables of a receiver's file as another process would. */
function reader(data: string) {
  const database = new DatabaseSync(data, { timeout: 5_000 });
  onTestFinished(() => database.close());
  return (sql: string) => database.prepare(sql).all();
}

/** A receiver whose bus rejects the tenants named `rejected` until `repair` is called. */
async function startFailing(data: string, { retrySeconds = 0.01 } = {}) {
  const published: unknown[] = [];
  const logged: LogEntry[] = [];
  let attempts = 0;
  let isBroken = true;
  const receiver = await startLocalReceiver({
    data,
    retrySeconds,
    onEvent: ({ detail }) => {
      const name = detail.event?.tenant_name;
      if (name === "rejected") attempts += 1;
      if (name === "rejected" && isBroken) throw new Error("the bus is down", { cause: new Error("no route") });
      published.push(name);
    },
    log: (entry) => void logged.push(entry),
  });
  const send = async (tenant_name: string) => {
    const body = JSON.stringify(payload("tenant_archived", { tenant_name }));
    expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(200);
  };
  const repair = () => {
    isBroken = false;
  };
  return { receiver, published, logged, send, attempts: () => attempts, repair };
}

test("a message that fails ten times becomes a dead letter; the others are published", async () => {
  const data = temporaryFile();
  const { receiver, published, logged, send, attempts } = await startFailing(data);
  for (const name of ["first", "rejected", "last"]) await send(name);
  await receiver.settled();

  const read = reader(data);
  expect(attempts()).toBe(10);
  expect(published.toSorted()).toEqual(["first", "last"]);
  expect(read("SELECT count(*) AS count FROM queue")).toEqual([{ count: 0 }]);
  expect(read("SELECT message ->> 'body' ->> 'tenant_name' AS name, receive_count, at FROM dead_letters")).toEqual([
    { name: "rejected", receive_count: 10, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\S+Z$/) },
  ]);
  const [{ error } = {}] = read("SELECT error FROM dead_letters");
  expect(JSON.parse(String(error))).toEqual({
    name: "Error",
    message: "the bus is down",
    cause: { name: "Error", message: "no route" },
  });
  expect(logged.filter(({ message }) => message === "message moved to the dead letters")).toEqual([
    expect.objectContaining({ level: "error", receiveCount: 10 }),
  ]);
  // The ledger has the event; its status says that the bus may not.
  expect(read("SELECT status FROM records ORDER BY status")).toEqual([
    { status: "published" },
    { status: "published" },
    { status: "received" },
  ]);
  await receiver.close();
});

test("a dead letter that is put into the queue again is consumed, and has ten attempts again", async () => {
  const data = temporaryFile();
  const { receiver, published, send, attempts, repair } = await startFailing(data);
  await send("rejected");
  await receiver.settled();
  const read = reader(data);
  const redrive = () => {
    read("INSERT INTO queue (message) SELECT message FROM dead_letters");
    read("DELETE FROM dead_letters");
  };

  redrive();
  await receiver.settled();
  expect(attempts()).toBe(20);
  expect(read("SELECT receive_count FROM dead_letters")).toEqual([{ receive_count: 10 }]);

  repair();
  redrive();
  await receiver.settled();
  expect(published).toEqual(["rejected"]);
  expect(read("SELECT status FROM records")).toEqual([{ status: "published" }]);
  expect(read("SELECT * FROM dead_letters")).toEqual([]);
  await receiver.close();
});

test("attempts count across restarts; close() tries once more", async () => {
  const data = temporaryFile();
  const attempts: number[] = [];
  for (const start of [1, 2]) {
    const failing = await startFailing(data, { retrySeconds: 60 });
    if (start === 1) await failing.send("rejected");
    await expect.poll(failing.attempts).toBe(1);
    await failing.receiver.close();
    attempts.push(failing.attempts());
  }
  const last = await startFailing(data);
  await last.receiver.settled();
  expect([...attempts, last.attempts()]).toEqual([2, 2, 6]);
  expect(reader(data)("SELECT receive_count FROM dead_letters")).toEqual([{ receive_count: 10 }]);
  await last.receiver.close();
});

test("the command prints that a message became a dead letter, and at its next start how many there are, without the message", async () => {
  const data = temporaryFile();
  const first = startProcess("--port", "0", "--data", data);
  await first.url();
  await first.end("SIGTERM");
  const read = reader(data);
  read("INSERT INTO queue (message, receive_count) VALUES ('a secret of nobody', 9)");

  const second = startProcess("--port", "0", "--data", data);
  await second.url();
  const line =
    /^\S+Z error message moved to the dead letters messageId="\d+" receiveCount=10 error=\{.*format is unknown.*\}$/m;
  await expect.poll(second.stderr, { timeout: 10_000 }).toMatch(line);
  await second.end("SIGTERM");
  const third = startProcess("--port", "0", "--data", data);
  await expect
    .poll(third.stderr, { timeout: 10_000 })
    .toMatch(/^\S+Z warn the file has dead letters; .* events redrive --data \S+\.sqlite deadLetters=1$/m);
  await third.end("SIGTERM");

  const outputs = [second, third].map(({ stdout, stderr }) => stdout() + stderr());
  expect(outputs.join("")).not.toContain("secret of nobody");
  expect(read("SELECT message, receive_count FROM dead_letters")).toEqual([
    { message: "a secret of nobody", receive_count: 10 },
  ]);
});
