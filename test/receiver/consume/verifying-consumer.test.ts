import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createVerifyingConsumer } from "../../../src/receiver/consume/verifying-consumer.ts";
import { encodeMessage } from "../../../src/receiver/message.ts";
import { call, createTenant, startEmulator } from "../../emulator/running-emulator.ts";
import { failingPorts } from "../failing-ports.ts";
import { payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";

const receivedAt = "2026-03-04T05:00:00.000Z";
const beforeGraceIsOver = Date.parse("2026-03-04T05:14:59Z");
const afterGrace = Date.parse("2026-03-04T05:15:00Z");

type EmulatorOptions = Parameters<typeof startEmulator>[0];

/** A consumer that verifies events on an emulator. `clock.now` is its time, `keys` are the API keys that it reads in turn. */
async function startConsumer(options: EmulatorOptions = {}) {
  const emulator = await startEmulator(options);
  const clock = { now: afterGrace };
  const keys: string[] = [];
  const ports = { ...failingPorts(openLedger()), log: () => undefined };
  const readApiKey = async () => keys.shift() ?? emulator.apiKey;
  const access = { baseUrl: emulator.url, readApiKey, now: () => clock.now };
  const consumeBatch = createVerifyingConsumer(access, ports);
  return {
    ...ports,
    emulator,
    clock,
    keys,
    /** Consumes events in one batch. Returns how many of them return to the queue. */
    consume: async (...events: object[]) => {
      const { batchItemFailures } = await consumeBatch({ Records: events.map(recordOf) });
      return batchItemFailures.length;
    },
    /** The requests of the consumer to the platform. */
    requests: () =>
      emulator
        .requests()
        .filter(({ method, path }) => method === "GET" && path.startsWith("/v2/"))
        .map(({ path }) => path),
  };
}

function recordOf(event: object) {
  const webhook = {
    ingestId: randomUUID(),
    receivedAt,
    sourceIp: "192.0.2.7",
    body: Buffer.from(JSON.stringify(event)),
  };
  return { messageId: webhook.ingestId, body: encodeMessage(webhook) ?? "" };
}

const missing = 999_999;

test.each([
  {},
  { archivedList: "along" },
  { absentField: "archived" },
  { absentField: "archived", archivedList: "along" },
  { sorting: "refuse" },
  { defaults: "absent" },
] as const)("verifies what the platform shows, and nothing else, on a platform with %j", async (variants) => {
  const { consume, published, emulator } = await startConsumer({ variants });
  const live = await createTenant(emulator, { name: "live" });
  const archived = await createTenant(emulator, { name: "archived" });
  await call(emulator, "DELETE", `/v2/tenants/${archived}`);

  await consume(
    ...[live, archived, missing].flatMap((tenant_id) =>
      ["new_tenant_created", "run_failed", "tenant_archived"].map((name) => payload(name, { tenant_id })),
    ),
    ...[101, missing].flatMap((integration_id) =>
      ["new_integration_created", "partner_integration_updated"].map((name) => payload(name, { integration_id })),
    ),
  );

  const outcomes = published.map(({ detailType, detail }) => {
    const { event_type, tenant_id, integration_id } = Object(detail.event);
    return `${event_type} ${tenant_id ?? integration_id}: ${detailType === event_type ? "confirmed" : detailType}`;
  });
  expect(outcomes.sort()).toEqual(
    [
      `new_tenant_created ${live}: confirmed`,
      `run_failed ${live}: confirmed`,
      `tenant_archived ${live}: unverified`,
      `new_tenant_created ${archived}: confirmed`,
      `run_failed ${archived}: confirmed`,
      `tenant_archived ${archived}: confirmed`,
      `new_tenant_created ${missing}: unverified`,
      `run_failed ${missing}: unverified`,
      `tenant_archived ${missing}: unverified`,
      "new_integration_created 101: confirmed",
      "partner_integration_updated 101: confirmed",
      `new_integration_created ${missing}: unverified`,
      `partner_integration_updated ${missing}: unverified`,
    ].sort(),
  );
});

test("waits until the platform shows a new tenant, and gives up after 15 minutes", async () => {
  const { consume, published, clock, emulator } = await startConsumer();
  clock.now = beforeGraceIsOver;
  const event = payload("new_tenant_created", { tenant_id: missing });
  expect(await consume(event)).toBe(1);
  expect(published).toEqual([]);
  const id = await createTenant(emulator);
  expect(await consume(payload("new_tenant_created", { tenant_id: id }))).toBe(0);
  clock.now = afterGrace;
  expect(await consume(event)).toBe(0);
  expect(published).toMatchObject([{ detailType: "new_tenant_created" }, { detailType: "unverified" }]);
});

test("a failed run without a tenant is unverified at once, because nothing will ever confirm it", async () => {
  const { consume, published, clock, requests } = await startConsumer();
  clock.now = beforeGraceIsOver;
  expect(await consume(payload("run_failed", { tenant_id: undefined }))).toBe(0);
  expect(published).toMatchObject([{ detailType: "unverified" }]);
  expect(requests()).toEqual([]);
});

test("a batch reads each list once, and each batch reads again", async () => {
  const { consume, requests } = await startConsumer();
  const batch = Array.from({ length: 10 }, (_, index) => payload("run_failed", { tenant_id: missing + index }));
  await consume(...batch);
  const first = requests();
  await consume(payload("run_failed", { tenant_id: missing }));
  expect(first.length).toBeGreaterThan(0);
  expect(requests()).toEqual([...first, ...first]);
});

test("a batch without events that can be verified sends no request", async () => {
  const { consume, requests } = await startConsumer();
  await consume({ event_type: "tenant_renamed" }, {});
  expect(requests()).toEqual([]);
});

test("fails while the platform does not answer, and confirms the event later", async () => {
  const { consume, published, emulator } = await startConsumer();
  const event = payload("run_failed", { tenant_id: await createTenant(emulator) });
  emulator.fault({ kind: "status", status: 503, times: 100, match: { path: "^/v2/tenants" } });
  await expect(consume(event)).rejects.toThrow("none of the 1 messages could be consumed");
  expect(published).toEqual([]);
  emulator.clearFaults();
  expect(await consume(event)).toBe(0);
  expect(published).toMatchObject([{ detailType: "run_failed" }]);
});

test("reads the API key again after a failure, so that a rotated key takes effect", async () => {
  const { consume, published, emulator, keys } = await startConsumer();
  const event = payload("run_failed", { tenant_id: await createTenant(emulator) });
  keys.push("key-of-yesterday", emulator.apiKey, "never-read");
  await expect(consume(event)).rejects.toThrow("none of the 1 messages could be consumed");
  for (let count = 0; count < 2; count += 1) expect(await consume(event)).toBe(0);
  expect(published).toHaveLength(2);
  expect(keys).toEqual(["never-read"]);
});
