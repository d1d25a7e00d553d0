import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { payload } from "./fixtures.ts";
import { type ReceiverProcess, startProcess } from "./local/receiver-process.ts";
import { temporaryFile } from "./open-ledger.ts";

const events = 10_000;
/** How many events are sent concurrently. The pause after them is too short for all to finish. */
const perBurst = 100;
const pauseMilliseconds = 200;
const bursts = events / perBurst;

test("a receiver that is killed under load and restarted has each acknowledged event in its ledger exactly once", async () => {
  const data = temporaryFile();
  const token = randomBytes(32).toString("hex");
  const first = startProcess("--port", "0", "--data", data, "--token", token);
  const url = await first.url();
  const restart = () => startProcess("--port", new URL(url).port, "--data", data, "--token", token);
  const agent = new Agent({ connections: 100 });
  onTestFinished(() => agent.destroy());

  const { receiver, answers } = await sendBursts(agent, url, async () => {
    await first.end("SIGKILL");
    return restart();
  });
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
  expect(acknowledged.filter(({ tenantId }) => tenantId > events - 10 * perBurst)).toHaveLength(10 * perBurst);
  expect(unreachable.length).toBeGreaterThan(0);
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

/** Sends each event once, as the platform does. In the middle, `kill` replaces the receiver while sending goes on. */
async function sendBursts(agent: Agent, url: string, kill: () => Promise<ReceiverProcess>): Promise<Sent> {
  const pending: Promise<Answer>[] = [];
  let replaced: Promise<ReceiverProcess> | undefined;

  for (let burst = 0; burst < bursts; burst += 1) {
    if (burst > 0) await sleep(pauseMilliseconds);
    // Waits for the restart, so that some events are sent after it.
    if (burst === bursts - 10) await replaced;
    for (let index = 0; index < perBurst; index += 1) pending.push(send(agent, url, burst * perBurst + index + 1));
    // Kills the receiver while this burst is in flight.
    if (burst === bursts / 2) replaced = replace(kill);
  }
  const answers = await Promise.all(pending);
  if (replaced === undefined) throw new Error("the receiver was not killed");
  return { receiver: await replaced, answers };
}

async function replace(kill: () => Promise<ReceiverProcess>) {
  await sleep(20);
  const receiver = await kill();
  await receiver.url();
  return receiver;
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
