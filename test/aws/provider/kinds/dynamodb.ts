import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { z } from "zod";
import { kind } from "../kind.ts";

const dynamodb = new DynamoDBClient();

export const table = kind({
  inputs: z.object({
    name: z.string(),
    billingMode: z.literal("PAY_PER_REQUEST"),
    hashKey: z.string(),
    rangeKey: z.string(),
    attributes: z.array(z.object({ name: z.string(), type: z.enum(["S", "N", "B"]) })),
    serverSideEncryption: z.object({ enabled: z.boolean() }),
    pointInTimeRecovery: z.object({ enabled: z.boolean() }),
    deletionProtectionEnabled: z.boolean(),
  }),
  autonamed: "name",
  replacedBy: ["name", "hashKey", "rangeKey", "attributes", "serverSideEncryption", "pointInTimeRecovery"],
  create: async (given) => {
    const { TableDescription: made } = await dynamodb.send(
      new CreateTableCommand({
        TableName: given.name,
        BillingMode: given.billingMode,
        KeySchema: [
          { AttributeName: given.hashKey, KeyType: "HASH" },
          { AttributeName: given.rangeKey, KeyType: "RANGE" },
        ],
        AttributeDefinitions: given.attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
        SSESpecification: { Enabled: given.serverSideEncryption.enabled },
        DeletionProtectionEnabled: given.deletionProtectionEnabled,
      }),
    );
    await dynamodb.send(
      new UpdateContinuousBackupsCommand({
        TableName: given.name,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: given.pointInTimeRecovery.enabled },
      }),
    );
    return { id: given.name, outputs: { arn: made?.TableArn } };
  },
  look: (id) => dynamodb.send(new DescribeTableCommand({ TableName: id })),
  update: async (id, { deletionProtectionEnabled: isProtected }) => {
    await dynamodb.send(new UpdateTableCommand({ TableName: id, DeletionProtectionEnabled: isProtected }));
  },
  delete: (id) => dynamodb.send(new DeleteTableCommand({ TableName: id })),
});
