import { randomUUID } from "node:crypto";
import { CloudWatchLogsClient, CreateLogStreamCommand, PutLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, PutEventsCommand, PutRuleCommand } from "@aws-sdk/client-eventbridge";
import { CreateUserCommand, IAMClient, ListRolesCommand, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import { LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import {
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { Moto } from "./moto/start-moto.ts";
import type { ReceiverStack } from "./receiver-stack.ts";

type Attempts = Record<string, () => Promise<unknown>>;

/** Requests that a function, or an attacker who controls it, could send, by name. */
export function attempts(stack: ReceiverStack, client: Moto["client"]): Attempts {
  return {
    ...onQueues(stack, new SQSClient(client)),
    ...onTables(stack, new DynamoDBClient(client)),
    ...onBuses(stack, new EventBridgeClient(client)),
    ...onSecrets(stack, new SecretsManagerClient(client)),
    ...onLogs(stack, new CloudWatchLogsClient(client)),
    ...onPermissions(stack, new IAMClient(client)),
    "list functions": () => new LambdaClient(client).send(new ListFunctionsCommand()),
  };
}

function onQueues({ outputs }: ReceiverStack, sqs: SQSClient): Attempts {
  const QueueUrl = outputs.queueUrl;
  const deadLetters = outputs.deadLetterQueueUrl;
  return {
    "send to the queue": () => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "{}" })),
    "receive from the queue": () => sqs.send(new ReceiveMessageCommand({ QueueUrl })),
    "get attributes of the queue": () => sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] })),
    "delete from the queue": async () => {
      const command = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: "none" });
      await sqs.send(command).catch(unlessInvalid);
    },
    "purge the queue": () => sqs.send(new PurgeQueueCommand({ QueueUrl })),
    "change the queue": () => sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: {} })),
    "send to the dead letters": () => sqs.send(new SendMessageCommand({ QueueUrl: deadLetters, MessageBody: "{}" })),
    "receive dead letters": () => sqs.send(new ReceiveMessageCommand({ QueueUrl: deadLetters })),
    "list queues": () => sqs.send(new ListQueuesCommand()),
  };
}

function onTables({ outputs }: ReceiverStack, dynamodb: DynamoDBClient): Attempts {
  const TableName = outputs.ledgerName;
  const Key = { pk: { S: "a" }, sk: { S: "b" } };
  const change = { UpdateExpression: "SET seen = :seen", ExpressionAttributeValues: { ":seen": { BOOL: true } } };
  const query = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": { S: "a" } } };
  return {
    "get from the ledger": () => dynamodb.send(new GetItemCommand({ TableName, Key })),
    "get many from the ledger": () =>
      dynamodb.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [Key] } } })),
    "put into the ledger": () => dynamodb.send(new PutItemCommand({ TableName, Item: Key })),
    "update in the ledger": () => dynamodb.send(new UpdateItemCommand({ TableName, Key, ...change })),
    "delete from the ledger": () => dynamodb.send(new DeleteItemCommand({ TableName, Key })),
    "query the ledger": () => dynamodb.send(new QueryCommand({ TableName, ...query })),
    "list the ledger by time": () =>
      dynamodb.send(
        new QueryCommand({
          TableName,
          IndexName: "byTime",
          KeyConditionExpression: "#day = :day",
          ExpressionAttributeNames: { "#day": "day" },
          ExpressionAttributeValues: { ":day": { S: "a" } },
        }),
      ),
    "scan the ledger": () => dynamodb.send(new ScanCommand({ TableName })),
    "delete the ledger": () => dynamodb.send(new DeleteTableCommand({ TableName })),
    "get from another table": () =>
      dynamodb.send(new GetItemCommand({ TableName: "customers", Key: { pk: { S: "a" } } })),
    "put into another table": () =>
      dynamodb.send(new PutItemCommand({ TableName: "customers", Item: { pk: { S: "a" } } })),
  };
}

function onBuses({ outputs }: ReceiverStack, events: EventBridgeClient): Attempts {
  const entry = { Source: "test", DetailType: "test", Detail: "{}" };
  const pattern = JSON.stringify({ source: ["test"] });
  const put = (EventBusName: string) => events.send(new PutEventsCommand({ Entries: [{ ...entry, EventBusName }] }));
  return {
    "publish on the bus": () => put(outputs.busName),
    "publish on another bus": () => put("customers"),
    "attach a rule to the bus": () =>
      events.send(new PutRuleCommand({ Name: "mine", EventBusName: outputs.busName, EventPattern: pattern })),
  };
}

function onSecrets({ outputsOf }: ReceiverStack, secrets: SecretsManagerClient): Attempts {
  const SecretId = String(outputsOf("Secret", "events-api-key").arn);
  return {
    "read the secret api-key": () => secrets.send(new GetSecretValueCommand({ SecretId })),
    "change the secret api-key": () => secrets.send(new PutSecretValueCommand({ SecretId, SecretString: "mine" })),
    "list secrets": () => secrets.send(new ListSecretsCommand()),
  };
}

function onLogs({ outputsOf }: ReceiverStack, logs: CloudWatchLogsClient): Attempts {
  const logStreamName = randomUUID();
  const perFunction = ["acknowledge", "consume", "reconcile"].map((part): Attempts => {
    const logGroupName = String(outputsOf("LogGroup", `events-${part}`).name);
    const logEvents = [{ timestamp: Date.now(), message: "hello" }];
    return {
      [`create a stream in the log of ${part}`]: () =>
        logs.send(new CreateLogStreamCommand({ logGroupName, logStreamName })),
      [`write to the log of ${part}`]: () =>
        logs.send(new PutLogEventsCommand({ logGroupName, logStreamName, logEvents })),
    };
  });
  return Object.assign({}, ...perFunction);
}

function onPermissions({ outputsOf }: ReceiverStack, iam: IAMClient): Attempts {
  const role = outputsOf("Role", "events-reconcile");
  return {
    "add a policy to a role": () =>
      iam.send(
        new PutRolePolicyCommand({ RoleName: String(role.name), PolicyName: "more", PolicyDocument: allowAnything }),
      ),
    "create a user": () => iam.send(new CreateUserCommand({ UserName: "mine" })),
    "list roles": () => iam.send(new ListRolesCommand()),
  };
}

/** A policy that allows every action on every resource. */
export const allowAnything = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }],
});

function unlessInvalid(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "ReceiptHandleIsInvalid") throw error;
}
