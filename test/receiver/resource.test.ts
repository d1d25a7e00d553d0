import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";

import type { WebhookReceiver } from "../../src/receiver/resource.ts";
import { inClear, ofType, type RegisteredResource, registerReceiver } from "./mocked-program.ts";
import { sha256 } from "./sha256.ts";

const newest = sha256("the newest token");
const older = sha256("the older token");
const apiKey = "a-confidential-key";
const topic = "arn:aws:sns:eu-central-1:123456789012:alarms";

describe("a webhook receiver", () => {
  let receiver: WebhookReceiver;
  let resources: readonly RegisteredResource[];

  beforeAll(async () => {
    ({ receiver, resources } = await registerReceiver({
      tokens: [pulumi.secret(newest), pulumi.secret(older)],
      platform: { baseUrl: "https://platform.example.com", apiKey },
      allowedSources: ["192.0.2.0/24", "2001:db8::1"],
      alarmTopicArn: topic,
      silenceHours: 24,
    }));
  }, 60_000);

  const inputsOf = (type: string, name: string) =>
    ofType(resources, type).find((resource) => resource.name === name)?.inputs;

  test("allows the schedule to invoke the reconciler; the provider allows everybody to invoke the public URL", () => {
    expect(ofType(resources, "FunctionUrl").map(({ inputs }) => inputs.authorizationType)).toEqual(["NONE"]);
    expect(ofType(resources, "Permission").map(({ inputs }) => inputs)).toEqual([
      {
        action: "lambda:InvokeFunction",
        principal: "events.amazonaws.com",
        function: "events-reconcile",
        sourceArn: expect.stringContaining("events-reconcile"),
      },
    ]);
  });

  test("encrypts its stores, and makes the ledger restorable and protected from deletion", () => {
    for (const { inputs } of ofType(resources, "Queue")) expect(inputs).toMatchObject({ sqsManagedSseEnabled: true });
    expect(ofType(resources, "Queue")).toHaveLength(2);
    expect(ofType(resources, "Table").map(({ inputs }) => inputs)).toMatchObject([
      {
        pointInTimeRecovery: { enabled: true },
        deletionProtectionEnabled: true,
      },
    ]);
  });

  test("accepts messages of up to 1 MiB, retains them for 14 days, and gives up after the tenth attempt", () => {
    const [deadLetters, queue] = ofType(resources, "Queue");
    for (const { inputs } of ofType(resources, "Queue")) {
      expect(inputs).toMatchObject({ maxMessageSize: 1_048_576, messageRetentionSeconds: 1_209_600 });
    }
    expect(JSON.parse(String(queue?.inputs.redrivePolicy))).toEqual({
      deadLetterTargetArn: expect.stringContaining(deadLetters?.name ?? "?"),
      maxReceiveCount: 10,
    });
  });

  test("makes a message visible again after six times the timeout of the consumer", () => {
    const consumer = inputsOf("Function", "events-consume");
    expect(inputsOf("Queue", "events-queue")?.visibilityTimeoutSeconds).toBe(6 * Number(consumer?.timeout));
    expect(ofType(resources, "EventSourceMapping")[0]?.inputs.functionResponseTypes).toEqual([
      "ReportBatchItemFailures",
    ]);
  });

  test("runs three functions on Node.js 24 and arm64, each with its own log that is retained for 30 days", () => {
    const functions = ofType(resources, "Function").map(({ inputs }) => inputs);
    expect(functions).toHaveLength(3);
    for (const inputs of functions) expect(inputs).toMatchObject({ runtime: "nodejs24.x", architectures: ["arm64"] });
    const groups = functions.map(({ loggingConfig }) => Object(loggingConfig).logGroup);
    expect(groups).toEqual(functions.map(({ name }) => `/aws/lambda/${name}`));
    expect(ofType(resources, "LogGroup").map(({ inputs }) => inputs.retentionInDays)).toEqual([30, 30, 30]);
  });

  test("reserves concurrency only on request", async () => {
    for (const { inputs } of ofType(resources, "Function")) {
      expect(inputs).not.toHaveProperty("reservedConcurrentExecutions");
    }
    const { resources: reserved } = await registerReceiver({ tokens: [newest], reservedConcurrency: 20 });
    const counts = ofType(reserved, "Function").map(({ name, inputs }) => [name, inputs.reservedConcurrentExecutions]);
    expect(Object.fromEntries(counts)).toEqual({ "events-acknowledge": 20, "events-consume": undefined });
  });

  test("allows each role a few actions, only on resources of the receiver", () => {
    const permissions = ofType(resources, "RolePolicy").map(({ name, inputs }) => [name, statementsOf(inputs.policy)]);
    expect(Object.fromEntries(permissions)).toEqual({
      "events-acknowledge": ["logs:CreateLogStream logs:PutLogEvents", "sqs:SendMessage"],
      "events-consume": [
        "logs:CreateLogStream logs:PutLogEvents",
        "sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes",
        "dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem",
        "events:PutEvents",
      ],
      "events-reconcile": [
        "logs:CreateLogStream logs:PutLogEvents",
        "dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem",
        "dynamodb:BatchGetItem",
        "events:PutEvents",
        "secretsmanager:GetSecretValue",
      ],
    });
    expect(ofType(resources, "RolePolicyAttachment")).toEqual([]);
  });

  test("passes the digests of the tokens and the allowed sources to the acknowledging function", () => {
    const environment = inputsOf("Function", "events-acknowledge")?.environment; // secret as a whole
    expect(Object(environment).value.variables).toEqual({
      QUEUE_URL: "https://events-queue",
      TOKEN_DIGESTS: `${sha256(newest)},${sha256(older)}`,
      ALLOWED_SOURCES: "192.0.2.0/24,2001:db8::1",
    });
  });

  test("stores the API key as a secret, and the tokens nowhere", () => {
    const everything = JSON.stringify(resources.map(({ inputs }) => inputs));
    const inputsInClear = JSON.stringify(resources.map(({ inputs }) => inClear(inputs)));
    expect(everything).toContain(apiKey); // in Secrets Manager
    expect(inputsInClear).not.toContain(apiKey);
    for (const token of [newest, older]) expect(everything).not.toContain(token);
  });

  test("outputs the URL with the newest token and the instructions as secrets", async () => {
    const url = `https://a.example/?token=${newest}`;
    expect(await read(receiver.url)).toBe(url);
    expect(await pulumi.isSecret(receiver.url)).toBe(true);
    expect(await read(receiver.instructions)).toContain(`Enter this webhook URL: ${url}`);
    expect(await pulumi.isSecret(receiver.instructions)).toBe(true);
    expect(await read(pulumi.all([receiver.ledgerName, receiver.busName]))).toEqual(["events-ledger", "events-bus"]);
  });
});

test("has no reconciler by default", async () => {
  const { resources } = await registerReceiver({ tokens: [newest] });
  expect(ofType(resources, "Function").map(({ name }) => name)).toEqual(
    expect.not.arrayContaining(["events-reconcile"]),
  );
  expect(ofType(resources, "EventRule")).toEqual([]);
  expect(JSON.stringify(ofType(resources, "MetricAlarm"))).not.toMatch(/reconcile|NumberOfMessagesSent|alarmActions/);
});

test("can be created without protection and with another log retention", async () => {
  const { resources } = await registerReceiver({ tokens: [newest], deletionProtection: false, logRetentionDays: 7 });
  expect(ofType(resources, "Table")[0]?.inputs.deletionProtectionEnabled).toBe(false);
  expect(ofType(resources, "LogGroup").map(({ inputs }) => inputs.retentionInDays)).toEqual([7, 7]);
});

function statementsOf(policy: unknown): string[] {
  const { Statement: statements } = JSON.parse(String(policy));
  return statements.map(({ Effect, Action, Resource, ...others }: Record<string, unknown>) => {
    expect(Effect).toBe("Allow");
    expect(others).toEqual({});
    expect(Resource).toMatch(/^arn:aws:[^*]*:events-[^*]*(:\*)?$/); // `:*` stands for the streams of a log group
    return [Action].flat().join(" ");
  });
}

function read<T>(output: pulumi.Output<T>): Promise<pulumi.Unwrap<T>> {
  return new Promise((resolve) => pulumi.output(output).apply(resolve));
}
