import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createClient } from "../../src/api/index.ts";
import { createEmulator } from "../../src/emulator/index.ts";
import { startLocalReceiver } from "../../src/receiver/local/local-receiver.ts";
import { temporaryDirectory } from "../emulator/running-emulator.ts";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/**
 * The allowed growth between 2,000 and 10,000 operations, including buffers. Keeping one small object of each operation
 * (a closure, a promise, a record: 150 bytes and more), or 625 bytes of each operation of one of five kinds, exceeds it.
 */
const marginBytes = 8000 * 125;

test("client and emulator retain no memory after 10,000 requests", { timeout: 280_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const emulator = stack.adopt(await createEmulator(), (running) => running.close());
  const client = stack.adopt(createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey }), (open) => open.close());
  const { id } = await client.tenants.create({ name: "acme", integration_id: 101 });
  const operations = [
    (index: number) => client.tenants.update(id, { configs: { batch_size: 1 + (index % 1000) } }),
    () => client.tenants.listPage({ integrationId: 101 }),
    (index: number) => client.metadata.update(id, { seats: index }),
    () => client.integrations.get(101),
    () => client.releases.get(101, 1).catch(() => {}), // the release does not exist
  ];
  // the log of requests may grow this large, so it is cleared before each measurement
  const grown = await growth(
    (index) => operations[index % operations.length]?.(index),
    () => emulator.clearRequests(),
  );
  expect(grown).toBeLessThan(marginBytes);
});

test("the receiver retains no memory after 10,000 webhooks", { timeout: 280_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const ignore = () => {};
  const receiver = stack.adopt(
    await startLocalReceiver({ onEvent: ignore, log: ignore, data: join(temporaryDirectory(), "receiver.db") }),
    (running) => running.close(),
  );
  const deliver = async (index: number) => {
    const body = JSON.stringify({
      event_type: "tenant_archived",
      environment: "e",
      account_id: 1,
      account_name: "a",
      timestamp: "2026-01-01T00:00:00Z",
      tenant_id: index,
      tenant_name: "acme",
      integration_id: 101,
      integration_name: "i",
    });
    const { status } = await fetch(receiver.url, { method: "POST", body });
    expect(status).toBe(200);
  };
  expect(await growth(deliver, () => receiver.settled())).toBeLessThan(marginBytes);
});

/** The growth of the heap, in bytes, from the 2,000th operation to the 10,000th. */
async function growth(operate: (index: number) => unknown, settle: () => unknown): Promise<number> {
  const heapAfter = async () => {
    await settle();
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (typeof collect !== "function") throw new Error("there is no garbage collection on demand");
      collect();
    }
    const { heapUsed, external } = process.memoryUsage(); // external memory holds buffers
    return heapUsed + external;
  };
  let before = 0;
  for (let index = 0; index < 10_000; index += atOnce) {
    if (index === 2000) before = await heapAfter();
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => operate(index + offset)));
  }
  return (await heapAfter()) - before;
}

const atOnce = 10;
