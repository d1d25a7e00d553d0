import { setTimeout as sleep } from "node:timers/promises";
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  type Item,
  partCountOf,
  partOf,
  recordItems,
  recordKey,
  recordOf,
  sightingItem,
  sightingKey,
  sightingOf,
  statusOf,
  stockItem,
  stockKey,
  stockTimeOf,
} from "./dynamo-items.ts";
import type { Ledger, Sighting } from "./ledger.ts";

/** As many keys as DynamoDB takes at once. */
const batchSize = 100;

/**
 * A ledger in a DynamoDB table with a partition key `pk` and a sort key `sk`, both text; `docs/decisions/the-ledger.md`
 * says what lies where. Needs PutItem, GetItem and UpdateItem, and for `sightings` BatchGetItem.
 */
export function dynamoLedger(client: DynamoDBClient, tableName: string): Ledger {
  const get = async (key: Item) => {
    const command = new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true });
    return (await client.send(command)).Item;
  };

  /** False if the condition does not hold. */
  const put = async (item: Item, condition: Omit<PutItemCommandInput, "TableName" | "Item"> = {}) => {
    try {
      await client.send(new PutItemCommand({ TableName: tableName, Item: item, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  /** Asks again for what DynamoDB did not get round to. */
  const getBatch = async (keys: Item[]): Promise<Item[]> => {
    const found: Item[] = [];
    let pending = keys;
    for (let pauseSeconds = 0.05; pending.length > 0; pauseSeconds = Math.min(2, pauseSeconds * 2)) {
      const command = new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: pending } } });
      const { Responses, UnprocessedKeys } = await client.send(command);
      found.push(...(Responses?.[tableName] ?? []));
      pending = UnprocessedKeys?.[tableName]?.Keys ?? [];
      if (pending.length > 0) await sleep(pauseSeconds * 1000);
    }
    return found;
  };

  return {
    keep: async (record) => {
      const { parts, item } = recordItems(record);
      // The record comes last: where it is, all of it is.
      for (const part of parts) await put(part);
      if (await put(item, { ConditionExpression: "attribute_not_exists(pk)" })) return "received";
      const known = await get(recordKey(record.ingestId));
      if (known === undefined) throw new Error(`the ledger ${tableName} lost the record ${record.ingestId} meanwhile`);
      return statusOf(known);
    },
    settle: async (ingestId, status) => {
      const command = new UpdateItemCommand({
        TableName: tableName,
        Key: recordKey(ingestId),
        UpdateExpression: "SET #status = :status",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":status": { S: status } },
      });
      await client.send(command);
    },
    find: async (ingestId) => {
      const item = await get(recordKey(ingestId));
      if (item === undefined) return undefined;
      const keys = Array.from({ length: partCountOf(item) }, (_, index) => recordKey(ingestId, index));
      return recordOf(item, ingestId, (await Promise.all(keys.map(get))).map(partOf));
    },
    sightings: async (subjects) => {
      const found = new Map<string, Sighting>();
      for (let start = 0; start < subjects.length; start += batchSize) {
        const items = await getBatch(subjects.slice(start, start + batchSize).map(sightingKey));
        for (const { key, sighting } of items.map(sightingOf)) found.set(key, sighting);
      }
      return found;
    },
    sight: async (subject, sighting, over) => {
      const item = sightingItem(subject, sighting);
      if (await put(item, conditionOf(over))) return undefined;
      const inTheWay = await get(sightingKey(subject));
      if (inTheWay === undefined)
        throw new Error(`the ledger ${tableName} lost a sighting of tenant ${subject.tenantId} meanwhile`);
      return sightingOf(inTheWay).sighting;
    },
    stockTakenAt: async () => stockTimeOf(await get(stockKey)),
    finishStock: async (at) => {
      await put(stockItem(at));
    },
  };
}

/** Nothing is there yet, or something in one of these states. */
function conditionOf(over: readonly string[]): Omit<PutItemCommandInput, "TableName" | "Item"> {
  if (over.length === 0) return { ConditionExpression: "attribute_not_exists(pk)" };
  const names = over.map((_, index) => `:state${index}`);
  return {
    ConditionExpression: `attribute_not_exists(pk) OR #state IN (${names.join(", ")})`,
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: Object.fromEntries(over.map((state, index) => [`:state${index}`, { S: state }])),
  };
}
