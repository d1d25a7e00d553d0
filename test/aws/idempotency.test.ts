import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { idempotent, type LambdaContext } from "../../src/receiver/idempotency/index.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { createLedgerTable } from "./ledger-table.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";

const context: LambdaContext = { getRemainingTimeInMillis: () => 3000 };
let moto: Moto;
let dynamodb: DynamoDBClient;
let tableName: string;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      moto = open.use(await startMoto());
      dynamodb = new DynamoDBClient(moto.client);
      tableName = await createLedgerTable(dynamodb);
      for (const [name, value] of Object.entries(moto.env)) vi.stubEnv(name, value);
      vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "on-event");
    }),
  pythonSetUpSeconds * 1000,
);
afterAll(() => void vi.unstubAllEnvs());

const invocation = (ingestId: string, replayId?: string) => ({ detail: { ingestId, replayId, receivedAt: "now" } });

/** A handler that records its events, waits, and fails as often as it is told. */
function recordingHandler(failures = 0, waiting = Promise.resolve()) {
  const handled: unknown[] = [];
  let left = failures;
  const handler = idempotent(
    async ({ detail }: ReturnType<typeof invocation>) => {
      handled.push(detail.replayId ?? detail.ingestId);
      await waiting;
      if (left-- > 0) throw new Error("the pager is down");
      return { secret: "a result" };
    },
    { tableName },
  );
  return { handled, handler };
}

test("an event is handled once, although it arrives twice", async () => {
  const { handled, handler } = recordingHandler();
  await handler(invocation("one"), context);
  await handler(invocation("one"), context);
  await handler(invocation("two"), context);
  expect(handled).toEqual(["one", "two"]);
});

test("a replay is handled again, once for each replay", async () => {
  const { handled, handler } = recordingHandler();
  await handler(invocation("three"), context);
  for (const replayId of ["replay-1", "replay-1", "replay-2"]) await handler(invocation("three", replayId), context);
  expect(handled).toEqual(["three", "replay-1", "replay-2"]);
});

test("an event whose handler failed is handled at the next attempt", async () => {
  const { handled, handler } = recordingHandler(1);
  await expect(handler(invocation("four"), context)).rejects.toThrow("the pager is down");
  await handler(invocation("four"), context);
  await handler(invocation("four"), context);
  expect(handled).toEqual(["four", "four"]);
});

test("two attempts at the same time are one: the other fails, and Lambda tries it again", async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { handled, handler } = recordingHandler(0, isOver);
  const first = handler(invocation("five"), context);
  await expect.poll(() => handled).toEqual(["five"]);
  await expect(handler(invocation("five"), context)).rejects.toThrow();
  end();
  await first;
  expect(handled).toEqual(["five"]);
});

test("an invocation that is not an event of the bus is an error", async () => {
  const { handled, handler } = recordingHandler();
  // @ts-expect-error: the detail has no ingest id
  await expect(handler({ detail: {} }, context)).rejects.toThrow();
  expect(handled).toEqual([]);
});

test("its items are under the key that the function's policy allows, expire, and hold neither the event nor the result", async () => {
  const { Items: items = [] } = await dynamodb.send(new ScanCommand({ TableName: tableName }));
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) {
    expect(item.pk).toEqual({ S: "idempotency#on-event" });
    const inDays = (Number(item.expiration?.N) * 1000 - Date.now()) / 86_400_000;
    expect(Math.round(inDays)).toBe(30);
    expect(Object.keys(item).sort()).toEqual(["expiration", "in_progress_expiration", "pk", "sk", "status"]);
  }
});

test("without a table it fails when the function starts, and says what to set", () => {
  expect(() => idempotent(() => {}, { tableName: process.env.NOT_SET })).toThrow(/tableName; set it to the ledgerName/);
});
