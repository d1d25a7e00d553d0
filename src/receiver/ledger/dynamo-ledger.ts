import { setTimeout as sleep } from "node:timers/promises";
import { ConditionalCheckFailedException, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import {
  baselineKey,
  dayOf,
  type ItemKey,
  listedItemSchema,
  observationItem,
  observationItemSchema,
  observationKey,
  partItemSchema,
  recordItemSchema,
  recordItems,
  recordKey,
  restoreBody,
  sweepKey,
  timeIndexName,
  unqueued,
} from "./dynamo-items.ts";
import type { Ledger, LedgerRecord, Observation, ObservationState, RecordQuery } from "./ledger.ts";

/** The maximum number of keys in a BatchGetItem request. */
const batchSize = 100;

/** How a ledger stores records. */
export interface DynamoLedgerOptions {
  /** After how many days DynamoDB deletes a record, if the table has Time to Live on `expiration`. Default: never. */
  readonly retentionDays?: number | undefined;
}

/**
 * A ledger in a DynamoDB table whose partition key `pk` and sort key `sk` are strings. Needs the permissions PutItem,
 * GetItem, UpdateItem, and BatchGetItem for `findObservations`; the lists need Query on the table's index `byTime`, and
 * `putUnqueued` only PutItem.
 */
export function dynamoLedger(
  dynamodb: DynamoDBClient,
  tableName: string,
  { retentionDays }: DynamoLedgerOptions = {},
): Ledger {
  const client = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
  const get = async (key: ItemKey) =>
    (await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }))).Item;

  /** Returns false if the condition does not hold. */
  const put = async (
    item: ItemKey & Record<string, unknown>,
    condition: Omit<PutCommandInput, "TableName" | "Item"> = {},
  ) => {
    try {
      await client.send(new PutCommand({ TableName: tableName, Item: item, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  /** Repeats the request for keys that DynamoDB did not process. */
  const getBatch = async (keys: ItemKey[]) => {
    const found: unknown[] = [];
    let pending: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
    for (let pauseSeconds = 0.05; pending.length > 0; pauseSeconds = Math.min(2, pauseSeconds * 2)) {
      const command = new BatchGetCommand({ RequestItems: { [tableName]: { Keys: pending } } });
      const { Responses, UnprocessedKeys } = await client.send(command);
      found.push(...(Responses?.[tableName] ?? []));
      pending = UnprocessedKeys?.[tableName]?.Keys ?? [];
      if (pending.length > 0) await sleep(pauseSeconds * 1000);
    }
    return found;
  };

  /** The items of all pages. */
  async function* query(input: Omit<QueryCommandInput, "TableName">): AsyncGenerator<unknown> {
    let next: QueryCommandInput["ExclusiveStartKey"];
    do {
      const command = new QueryCommand({ ...input, TableName: tableName, ExclusiveStartKey: next });
      const { Items, LastEvaluatedKey } = await client.send(command);
      yield* Items ?? [];
      next = LastEvaluatedKey;
    } while (next !== undefined);
  }

  /** Returns false if there is such a record already. */
  const putRecord = async (record: LedgerRecord, day?: string) => {
    const { parts, item } = recordItems(record, retentionDays, day);
    // Parts first: a record that exists is complete.
    for (const part of parts) await put(part);
    return put(item, conditionOf([]));
  };

  return {
    putIfAbsent: async (record) => {
      if (await putRecord(record)) return "received";
      const existing = await get(recordKey(record.ingestId));
      if (existing === undefined) throw disappeared(`the record ${record.ingestId}`);
      return recordItemSchema.parse(existing).status;
    },
    putUnqueued: async (record) => {
      await putRecord(record, unqueued); // if it exists, an earlier attempt has succeeded whose answer was lost
    },
    updateStatus: async ({ ingestId, receivedAt }, status) => {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: recordKey(ingestId),
        UpdateExpression: "SET #status = :status, #day = :day",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#status": "status", "#day": "day" },
        ExpressionAttributeValues: { ":status": status, ":day": dayOf(receivedAt) },
      });
      await client.send(command);
    },
    find: async (ingestId) => {
      const item = await get(recordKey(ingestId));
      if (item === undefined) return undefined;
      const { body, bodyParts, ...record } = recordItemSchema.parse(item);
      const keys = Array.from({ length: bodyParts }, (_, index) => recordKey(ingestId, index));
      const items = await Promise.all(keys.map(get));
      const stored =
        body === undefined ? { parts: items.map((part) => partItemSchema.parse(part).part) } : { text: body };
      return { ingestId, ...record, body: restoreBody(stored) };
    },
    list: async function* ({ until = new Date().toISOString(), ...rest }) {
      if (rest.since > until) return; // DynamoDB rejects a BETWEEN whose upper bound is the lower one
      for (const day of [unqueued, ...daysBetween(rest.since, until)]) {
        for await (const item of query(queryOfDay(day, { until, ...rest }))) yield listedItemSchema.parse(item);
      }
    },
    listUnqueued: async function* () {
      const input = {
        IndexName: timeIndexName,
        KeyConditionExpression: "#day = :day",
        ExpressionAttributeNames: { "#day": "day" },
        ExpressionAttributeValues: { ":day": unqueued },
      };
      for await (const item of query(input)) yield listedItemSchema.parse(item);
    },
    findObservations: async (events) => {
      const found = new Map<string, Observation>();
      for (let start = 0; start < events.length; start += batchSize) {
        const items = await getBatch(events.slice(start, start + batchSize).map(observationKey));
        for (const item of items) {
          const { pk, sk, ...observation } = observationItemSchema.parse(item);
          found.set(`${pk}#${sk}`, observation);
        }
      }
      return found;
    },
    putObservation: async (event, observation, replaceable) => {
      if (await put(observationItem(event, observation), conditionOf(replaceable))) return undefined;
      const item = await get(observationKey(event));
      if (item === undefined) throw disappeared(`the observation of tenant ${event.tenantId}`);
      const { pk: _, sk: __, ...existing } = observationItemSchema.parse(item);
      return existing;
    },
    baselineCompletedAt: async () => {
      const item = await get(baselineKey);
      return item && z.string().parse(item.at);
    },
    completeBaseline: async (at) => {
      await put({ ...baselineKey, at });
    },
    reserveSweep: (now, until) =>
      put(
        { ...sweepKey, until },
        {
          ConditionExpression: "attribute_not_exists(pk) OR #until <= :now",
          ExpressionAttributeNames: { "#until": "until" },
          ExpressionAttributeValues: { ":now": now },
        },
      ),
  };

  function disappeared(what: string): Error {
    return new Error(
      `${what} disappeared from the ledger ${tableName} during a write; find out what deletes its items`,
    );
  }
}

/** The days of a period in UTC, the last one first. */
function* daysBetween(since: string, until: string): Generator<string> {
  const [first, day] = [dayOf(since), new Date(`${dayOf(until)}T00:00:00Z`)];
  for (; dayOf(day.toISOString()) >= first; day.setUTCDate(day.getUTCDate() - 1)) yield dayOf(day.toISOString());
}

/** The records of a day in the index, the newest first. DynamoDB applies the filter after it has read a page. */
function queryOfDay(day: string, { since, until, eventType, tenantId }: RecordQuery) {
  const filters = [
    ...(eventType === undefined ? [] : ["eventType = :eventType"]),
    ...(tenantId === undefined ? [] : ["tenantId = :tenantId"]),
  ];
  return {
    IndexName: timeIndexName,
    ScanIndexForward: false,
    KeyConditionExpression: "#day = :day AND receivedAt BETWEEN :since AND :until",
    ...(filters.length === 0 ? {} : { FilterExpression: filters.join(" AND ") }),
    ExpressionAttributeNames: { "#day": "day" }, // a reserved word of DynamoDB
    ExpressionAttributeValues: {
      ":day": day,
      ":since": since,
      ":until": until,
      ...(eventType !== undefined && { ":eventType": eventType }),
      ...(tenantId !== undefined && { ":tenantId": tenantId }),
    },
  };
}

/** Holds if there is no item yet, or one with a replaceable state. */
function conditionOf(replaceable: readonly ObservationState[]) {
  if (replaceable.length === 0) return { ConditionExpression: "attribute_not_exists(pk)" };
  const names = replaceable.map((_, index) => `:state${index}`);
  return {
    ConditionExpression: `attribute_not_exists(pk) OR #state IN (${names.join(", ")})`,
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: Object.fromEntries(replaceable.map((state, index) => [`:state${index}`, state])),
  };
}
