import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { beforeAll } from "vitest";
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
