import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  KeyType,
  ProjectionType,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { z } from "zod";
import { resourceType } from "../resource-type.ts";

const dynamodb = new DynamoDBClient();

export const table = resourceType({
  inputs: z.object({
    name: z.string(),
    billingMode: z.literal("PAY_PER_REQUEST"),
    hashKey: z.string(),
    rangeKey: z.string(),
    attributes: z.array(z.object({ name: z.string(), type: z.enum(["S", "N", "B"]) })),
    globalSecondaryIndexes: z.array(
      z.object({
        name: z.string(),
        keySchemas: z.array(z.object({ attributeName: z.string(), keyType: z.enum(KeyType) })),
        projectionType: z.enum(ProjectionType),
        nonKeyAttributes: z.array(z.string()),
      }),
    ),
    ttl: z.object({ attributeName: z.string(), enabled: z.literal(true) }),
    pointInTimeRecovery: z.object({ enabled: z.boolean() }),
    deletionProtectionEnabled: z.boolean(),
  }),
  autonamed: "name",
  replacedBy: ["name", "hashKey", "rangeKey", "attributes", "globalSecondaryIndexes", "ttl", "pointInTimeRecovery"],
  create: async (args) => {
    const { TableDescription: created } = await dynamodb.send(
      new CreateTableCommand({
        TableName: args.name,
        BillingMode: args.billingMode,
        KeySchema: [
          { AttributeName: args.hashKey, KeyType: "HASH" },
          { AttributeName: args.rangeKey, KeyType: "RANGE" },
        ],
        AttributeDefinitions: args.attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
        GlobalSecondaryIndexes: args.globalSecondaryIndexes.map(({ name, keySchemas, ...index }) => ({
          IndexName: name,
          KeySchema: keySchemas.map(({ attributeName, keyType }) => ({
            AttributeName: attributeName,
            KeyType: keyType,
          })),
          Projection: { ProjectionType: index.projectionType, NonKeyAttributes: index.nonKeyAttributes },
        })),
        DeletionProtectionEnabled: args.deletionProtectionEnabled,
      }),
    );
    await dynamodb.send(
      new UpdateContinuousBackupsCommand({
        TableName: args.name,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: args.pointInTimeRecovery.enabled },
      }),
    );
    const { attributeName: AttributeName, enabled: Enabled } = args.ttl;
    await dynamodb.send(
      new UpdateTimeToLiveCommand({
        TableName: args.name,
        TimeToLiveSpecification: { AttributeName, Enabled },
      }),
    );
    return { id: args.name, outputs: { arn: created?.TableArn } };
  },
  read: (id) => dynamodb.send(new DescribeTableCommand({ TableName: id })),
  update: async (id, { deletionProtectionEnabled: isProtected }) => {
    await dynamodb.send(new UpdateTableCommand({ TableName: id, DeletionProtectionEnabled: isProtected }));
  },
  delete: (id) => dynamodb.send(new DeleteTableCommand({ TableName: id })),
});
