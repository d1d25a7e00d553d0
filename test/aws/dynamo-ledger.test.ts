import { randomUUID } from "node:crypto";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { beforeAll } from "vitest";
import { dynamoLedger } from "../../src/receiver/ledger/dynamo-ledger.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { ledgerContract } from "../receiver/ledger-contract.ts";
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
  const name = `ledger-${randomUUID()}`;
  await dynamodb.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
        { AttributeName: "day", AttributeType: "S" },
        { AttributeName: "receivedAt", AttributeType: "S" },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byTime",
          KeySchema: [
            { AttributeName: "day", KeyType: "HASH" },
            { AttributeName: "receivedAt", KeyType: "RANGE" },
          ],
          Projection: {
            ProjectionType: "INCLUDE",
            NonKeyAttributes: ["status", "sourceIp", "reconciled", "kind", "eventType", "tenantId", "runId"],
          },
        },
      ],
    }),
  );
  return dynamoLedger(dynamodb, name);
});
