import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { dynamoLedger } from "../../src/receiver/ledger/dynamo-ledger.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { ledgerContract } from "../receiver/ledger-contract.ts";
import { createLedgerTable } from "./ledger-table.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";

let moto: Moto;
beforeAll(
  () =>
    endAfterTests(async (open) => {
      moto = open.use(await startMoto());
    }),
  pythonSetUpSeconds * 1000,
);

ledgerContract("DynamoDB, emulated by moto", async () => {
  const dynamodb = new DynamoDBClient(moto.client);
  return dynamoLedger(dynamodb, await createLedgerTable(dynamodb));
});

test("a record that no queue holds is listed until its status changes, and exists once if its writing is repeated", async () => {
  const dynamodb = new DynamoDBClient(moto.client);
  const ledger = dynamoLedger(dynamodb, await createLedgerTable(dynamodb));
  const body = Buffer.alloc(900_000, 0xff); // in parts
  const record = { ingestId: "i", receivedAt: "2026-03-04T05:06:08.000Z", reconciled: false, kind: "not UTF-8", body };
  for (const _ of [1, 2]) await ledger.putUnqueued(record);
  const idsOf = async (list: AsyncIterable<{ readonly ingestId: string }>) => {
    const ids: string[] = [];
    for await (const { ingestId } of list) ids.push(ingestId);
    return ids;
  };
  const day = { since: "2026-03-04T00:00:00.000Z", until: "2026-03-04T23:00:00.000Z" };
  expect([await idsOf(ledger.listUnqueued()), await idsOf(ledger.list(day))]).toEqual([["i"], ["i"]]);
  expect(Buffer.from((await ledger.find("i"))?.body ?? []).equals(body)).toBe(true);
  expect(await ledger.putIfAbsent(record)).toBe("received");
  await ledger.updateStatus(record, "published");
  expect([await idsOf(ledger.listUnqueued()), await idsOf(ledger.list(day))]).toEqual([[], ["i"]]);
});
