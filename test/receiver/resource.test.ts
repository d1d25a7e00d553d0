import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";

import type { RestApiDomainArgs, WebhookReceiverArgs } from "../../src/receiver/args.ts";
import { warningsAbout } from "../../src/receiver/checked-args.ts";
import type { WebhookReceiver } from "../../src/receiver/resource.ts";
import { inClear, ofType, type RegisteredResource, registerReceiver } from "./mocked-program.ts";
import { sha256 } from "./sha256.ts";

const newest = sha256("the newest token");
const older = sha256("the older token");
const apiKey = "a-confidential-key";
const platform = { baseUrl: "https://platform.example.com", apiKey };
const topic = "arn:aws:sns:eu-central-1:123456789012:alarms";

describe("a webhook receiver", () => {
  let receiver: WebhookReceiver;
  let resources: readonly RegisteredResource[];

  beforeAll(async () => {
    ({ receiver, resources } = await registerReceiver({
      tokens: [pulumi.secret(newest), pulumi.secret(older)],
      platform,
      allowedSources: ["192.0.2.0/24", "2001:db8::1"],
      alarmTopicArn: topic,
      silenceHours: 24,
    }));
  }, 60_000);

  const inputsOf = (type: string, name: string) =>
    ofType(resources, type).find((resource) => resource.name === name)?.inputs;

  test("allows the schedules to invoke their functions, and everybody to invoke the public URL", () => {
    const permissions = ofType(resources, "Permission").map(({ name, inputs }) => [name, inputs]);
    expect(Object.fromEntries(permissions)).toMatchObject({
      "events-reconcile": { function: "events-reconcile", principal: "events.amazonaws.com" },
      "events-unqueued": { function: "events-consume", principal: "events.amazonaws.com" },
      // An account that refuses public functions shows this id in its error.
      "events-url": {
        statementId: "public-url-if-refused-set-restApi",
        principal: "*",
        action: "lambda:InvokeFunctionUrl",
        functionUrlAuthType: "NONE",
      },
      "events-url-invokes": { principal: "*", action: "lambda:InvokeFunction", invokedViaFunctionUrl: true },
    });
    expect(permissions).toHaveLength(4);
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

  test("limits the consumer to two concurrent invocations by default", async () => {
    const limitOf = (all: readonly RegisteredResource[]) => ofType(all, "EventSourceMapping")[0]?.inputs.scalingConfig;
    expect(limitOf(resources)).toEqual({ maximumConcurrency: 2 });
    const { resources: others } = await registerReceiver({ tokens: [newest], consumerConcurrency: 50 });
    expect(limitOf(others)).toEqual({ maximumConcurrency: 50 });
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
      "events-acknowledge": ["logs:CreateLogStream logs:PutLogEvents", "sqs:SendMessage", "dynamodb:PutItem"],
      "events-consume": [
        "logs:CreateLogStream logs:PutLogEvents",
        "sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes",
        "dynamodb:Query",
        "dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem",
        "events:PutEvents",
      ],
      "events-reconcile": [
        "logs:CreateLogStream logs:PutLogEvents",
        "dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem",
        "events:PutEvents",
        "dynamodb:BatchGetItem",
        "secretsmanager:GetSecretValue",
      ],
    });
    expect(ofType(resources, "RolePolicyAttachment")).toEqual([]);
  });

  test("passes the digests of the tokens and the allowed sources to the acknowledging function", () => {
    const environment = inputsOf("Function", "events-acknowledge")?.environment; // secret as a whole
    expect(Object(environment).value.variables).toEqual({
      QUEUE_URL: "https://events-queue",
      LEDGER_TABLE: "events-ledger",
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
    expect(await read(receiver.deadLetterQueueArn)).toMatch(/:events-dead-letters$/);
    expect(await read(receiver.logGroupNames)).toEqual({
      acknowledge: "/aws/lambda/events-acknowledge",
      consume: "/aws/lambda/events-consume",
      reconcile: "/aws/lambda/events-reconcile",
    });
  });
});

test("has no reconciler without a platform", async () => {
  const { receiver, resources } = await registerReceiver({ tokens: [newest] });
  expect(Object.keys(await read(receiver.logGroupNames))).toEqual(["acknowledge", "consume"]);
  expect(ofType(resources, "Function").map(({ name }) => name)).toEqual(
    expect.not.arrayContaining(["events-reconcile"]),
  );
  expect(ofType(resources, "EventRule").map(({ name }) => name)).toEqual(["events-unqueued"]);
  expect(JSON.stringify(ofType(resources, "MetricAlarm"))).not.toMatch(/reconcile|NumberOfMessagesSent|alarmActions/);
});

test("can be created without protection and with another log retention", async () => {
  const { resources } = await registerReceiver({ tokens: [newest], deletionProtection: false, logRetentionDays: 7 });
  expect(ofType(resources, "Table")[0]?.inputs.deletionProtectionEnabled).toBe(false);
  expect(ofType(resources, "LogGroup").map(({ inputs }) => inputs.retentionInDays)).toEqual([7, 7]);
});

test("stores no API key if no function reads the platform", async () => {
  const { resources } = await registerReceiver({ tokens: [newest], platform, reconciliation: false });
  expect(ofType(resources, "Secret")).toEqual([]);
  expect(ofType(resources, "Function").map(({ name }) => name)).toEqual(["events-acknowledge", "events-consume"]);
});

test("cuts a long name, because AWS limits the names of functions to 64 characters", async () => {
  const name = "the-webhooks-of-the-integration-platform";
  const { resources } = await registerReceiver({ tokens: [newest], platform, archiveDays: 0 }, undefined, name);
  const prefixes = ofType(resources, "LogGroup").map(({ inputs }) => String(inputs.namePrefix));
  expect(prefixes.sort()).toEqual([
    "/aws/lambda/the-webhooks-of-the-integ-acknowledge-",
    "/aws/lambda/the-webhooks-of-the-integra-reconcile-",
    "/aws/lambda/the-webhooks-of-the-integrati-consume-",
  ]);
  for (const prefix of prefixes) expect(prefix.length + 26 - "/aws/lambda/".length).toBe(64);
});

test("refuses a name that is too long for the archive, in the preview", async () => {
  const declare = (name: string) => registerReceiver({ tokens: [newest] }, undefined, name);
  await expect(declare("x".repeat(33))).rejects.toThrow(/the name of the receiver: may have at most 32 characters/);
  const { resources } = await declare("x".repeat(32));
  expect(`${ofType(resources, "EventArchive")[0]?.name}-1a2b3c4`.length).toBe(48);
});

test("warns once if nobody hears the alarms, and of a reserved concurrency that a burst exceeds", () => {
  const topic = "arn:aws:sns:eu-central-1:123456789012:on-call";
  expect(warningsAbout("events", { tokens: [newest] })).toEqual([expect.stringMatching(/nobody hears.*alarmTopicArn/)]);
  const few = warningsAbout("events", { tokens: [newest], alarmTopicArn: topic, reservedConcurrency: 5 });
  expect(few).toEqual([expect.stringMatching(/50 requests a second/)]);
  expect(warningsAbout("events", { tokens: [newest], alarmTopicArn: topic, reservedConcurrency: 10 })).toEqual([]);
});

test("finds its name in AWS although its own name contains that of a part", async () => {
  const { resources } = await registerReceiver({ tokens: [newest] }, undefined, "my-queue-events");
  expect(ofType(resources, "Dashboard")[0]?.inputs.dashboardName).toBe("my-queue-events");
});

describe("arguments", () => {
  const arn = "arn:aws:iam::123456789012:role/other";
  const valid = { tokens: [newest] };

  test.each<[string, WebhookReceiverArgs, RegExp]>([
    ["a short token", { tokens: ["short"] }, /tokens\[0\]: a token must have 32 to 256 .*openssl rand -hex 32/],
    ["no token", { tokens: [] }, /tokens\[0\]: is required; .*openssl rand -hex 32/],
    ["an address that is none", { ...valid, allowedSources: ["192.0.2.0/33"] }, /allowedSources\[0\]: .*CIDR/],
    ["a topic that is none", { ...valid, alarmTopicArn: arn }, /alarmTopicArn: must be the ARN of an SNS topic/],
    ["a platform without TLS", { ...valid, platform: { baseUrl: "http://a.example", apiKey } }, /baseUrl: .*https/],
    ["an empty key", { ...valid, platform: { ...platform, apiKey: "" } }, /platform.apiKey: must not be empty/],
    ["reconciliation without a platform", { ...valid, reconciliation: {} }, /reconciliation: needs platform/],
    ["a sweep in no time", { ...valid, platform, reconciliation: { everyMinutes: 0 } }, /everyMinutes: .*1 to 1440/],
    ["one consumer", { ...valid, consumerConcurrency: 1 }, /consumerConcurrency: .* from 2 to 1000/],
    ["a week of records", { ...valid, ledgerRetentionDays: 7 }, /ledgerRetentionDays: .* from 30 to 3650/],
    ["days that CloudWatch does not know", { ...valid, logRetentionDays: 8 }, /logRetentionDays: .*1, 3, 5, 7/],
    ["half an hour of silence", { ...valid, silenceHours: 0.5 }, /silenceHours: must be a whole number from 1 to 168/],
    [
      "a certificate that is none",
      restApiWith({ name: "a.example.com", certificateArn: arn }),
      /certificateArn: .*ACM|Certificate Manager/,
    ],
    [
      "a domain with a scheme",
      restApiWith({ name: "https://a.example.com", certificateArn: arn }),
      /domain.name: .*host name/,
    ],
  ])("are refused at once: %s", async (_, args, problem) => {
    await expect(registerReceiver(args)).rejects.toThrow(problem);
  });

  test("are refused with all problems, of which none quotes a value", async () => {
    const refusal = registerReceiver({ tokens: ["my-secret-token"], silenceHours: 0, archiveDays: -1 });
    await expect(refusal).rejects.toThrow(
      /^the webhook receiver "events" has invalid arguments: tokens\[0\]: .*; silenceHours: .*; archiveDays: [^;]*$/,
    );
    await expect(refusal).rejects.not.toThrow(/my-secret-token/);
  });

  test("are refused if they are unknown, with the name that is meant", async () => {
    const misspelt = { tokens: [newest], silenceHour: 24 };
    await expect(registerReceiver(misspelt)).rejects.toThrow(
      /silenceHour: is not an argument of the receiver.*"silenceHours"/,
    );
  });

  function restApiWith(domain: RestApiDomainArgs): WebhookReceiverArgs {
    return { ...valid, restApi: { domain } };
  }
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
