import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { payload } from "./fixtures.ts";
import { type ReceiverProcess, startProcess } from "./local/receiver-process.ts";
import { temporaryFile } from "./open-ledger.ts";

const events = 10_000;
/** How many events are in flight at any time, so also when the receiver is killed. */
const concurrency = 100;

test("a receiver that is killed under load and restarted has each acknowledged event in its ledger exactly once", async () => {
  const data = temporaryFile();
  const token = randomBytes(32).toString("hex");
  const first = startProcess("--port", "0", "--data", data, "--token", token);
  const url = await first.url();
  const restart = async () => {
    await first.end("SIGKILL");
    const second = startProcess("--port", new URL(url).port, "--data", data, "--token", token);
    await second.url();
    return second;
  };
  const agent = new Agent({ connections: concurrency });
  onTestFinished(() => agent.destroy());

  const { receiver, answers } = await sendEvents(agent, url, restart);
  await expect.poll(() => queueLength(data), { timeout: 30_000, interval: 100 }).toBe(0);
  expect(await receiver.end("SIGTERM")).toEqual([0, null]);

  const acknowledged = answers.filter(({ status }) => status === 200);
  const unreachable = answers.filter(({ status }) => status === undefined);
  const records = readRecords(data);
  const perTenant = Map.groupBy(records, ({ tenantId }) => tenantId);
  const missing = acknowledged.filter(({ tenantId }) => perTenant.get(tenantId)?.length !== 1);

  expect(acknowledged.length + unreachable.length).toBe(events);
  expect(missing).toEqual([]);
  // The kill came in the middle: some events before and after it were acknowledged, and some were not answered.
  expect(acknowledged.filter(({ tenantId }) => tenantId <= events / 2).length).toBeGreaterThan(events / 4);
  expect(acknowledged.filter(({ tenantId }) => tenantId > events - 10 * concurrency)).toHaveLength(10 * concurrency);
  expect(unreachable.length).toBeGreaterThan(0);
  expect(unreachable.length).toBeLessThanOrEqual(concurrency);
  expect(records.filter(({ status }) => status !== "published")).toEqual([]);
  // An event without an answer may be in the ledger, but not twice.
  expect([...perTenant.values()].filter((ofTenant) => ofTenant.length > 1)).toEqual([]);
  expect(new Set(records.map(({ ingestId }) => ingestId)).size).toBe(records.length);
});

interface Answer {
  readonly tenantId: number;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
}

interface Sent {
  readonly receiver: ReceiverProcess;
  readonly answers: readonly Answer[];
}

/** Sends each event once, as the platform does. In the middle, `replace` kills the receiver and starts it again. */
async function sendEvents(agent: Agent, url: string, replace: () => Promise<ReceiverProcess>): Promise<Sent> {
  const answers: Answer[] = [];
  let sent = 0;
  let replaced: Promise<ReceiverProcess> | undefined;

  async function sendNext(): Promise<void> {
    while (sent < events) {
      sent += 1;
      const pending = send(agent, url, sent);
      if (sent === events / 2) replaced = replace();
      const answer = await pending;
      answers.push(answer);
      if (answer.status === undefined) await replaced;
    }
  }

  await Promise.all(Array.from({ length: concurrency }, sendNext));
  if (replaced === undefined) throw new Error("the receiver was not killed");
  return { receiver: await replaced, answers };
}

async function send(agent: Agent, url: string, tenantId: number): Promise<Answer> {
  const body = JSON.stringify(payload("new_tenant_created", { tenant_id: tenantId }));
  try {
    const { statusCode, body: response } = await request(url, { dispatcher: agent, method: "POST", body });
    await response.dump();
    return { tenantId, status: statusCode };
  } catch {
    return { tenantId, status: undefined };
  }
}

const recordsSchema = z.array(z.object({ ingestId: z.string(), status: z.string(), tenantId: z.number() }));

function readRecords(data: string) {
  return read(data, (database) => {
    const sql = "SELECT ingest_id AS ingestId, status, CAST(body AS TEXT) ->> 'tenant_id' AS tenantId FROM records";
    return recordsSchema.parse(database.prepare(sql).all());
  });
}

function queueLength(data: string) {
  return read(data, (database) => database.prepare("SELECT count(*) AS count FROM queue").get()?.count);
}

function read<Result>(data: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(data, { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
