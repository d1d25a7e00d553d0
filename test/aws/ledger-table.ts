import { randomUUID } from "node:crypto";
import { CreateTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Creates a table as the receiver declares it for its ledger. Returns its name. */
export async function createLedgerTable(dynamodb: DynamoDBClient): Promise<string> {
  const name = `ledger-${randomUUID()}`;
  await dynamodb.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: ["pk", "sk", "day", "receivedAt"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
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
  return name;
}
