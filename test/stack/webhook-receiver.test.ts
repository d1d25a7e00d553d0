import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readStack, receiverArgs } from "../../src/stack/program/index.ts";
import { sha256 } from "../receiver/sha256.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "integration-platform-stack-"));
  await pulumi.runtime.setMocks(
    { call: ({ inputs }) => inputs, newResource: () => ({ id: "", state: {} }) },
    "p",
    "test",
  );
});
afterEach(() => rm(directory, { recursive: true }));

const token = sha256("a token");
const ofStack = "  integration-platform:baseUrl: https://platform.example.com\n  integration-platform:apiKey: key\n";

/** Reads a stack. All of its secrets decrypt to `token`. */
async function read(receiver: string, more = ofStack) {
  const yaml = `config:\n${more}  integration-platform:webhookReceiver: ${receiver}\n`;
  await writeFile(join(directory, "Pulumi.test.yaml"), yaml);
  const decrypted = parse(yaml, (_, value) => (Object(value).secure === undefined ? value : token));
  const texts = Object.entries(decrypted.config).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  pulumi.runtime.setAllConfig(Object.fromEntries(texts));
  return readStack(directory);
}

async function argsOf(receiver: string, more = ofStack) {
  const { webhookReceiver, configText } = await read(receiver, more);
  if (webhookReceiver === undefined) throw new Error("the stack has no receiver");
  return receiverArgs(webhookReceiver, configText);
}

describe("a stack's webhook receiver", () => {
  test("compares events with the stack's platform, with the stack's key", async () => {
    const args = await argsOf("{ tokens: [{ secure: v1:a }], silenceHours: 24 }");
    expect(args).toMatchObject({
      silenceHours: 24,
      platform: { baseUrl: "https://platform.example.com", apiKey: "key" },
    });
    expect(await pulumi.isSecret(pulumi.output(args.tokens))).toBe(true);
  });

  test("may have a key of its own for the platform", async () => {
    const { platform } = await argsOf("{ tokens: [{ secure: v1:a }], platform: { apiKey: { secure: v1:b } } }");
    expect(platform).toMatchObject({ baseUrl: "https://platform.example.com", apiKey: token });
  });

  test("may have subscriptions with names of 32 characters", async () => {
    const name = "failed-runs-of-the-tenants-in-eu";
    const onEvent = { [name]: { eventTypes: "all", targetArn: "arn:aws:sns:x" } };
    const { webhookReceiver } = await read(`{ tokens: [{ secure: v1:a }], onEvent: ${JSON.stringify(onEvent)} }`);
    expect(name).toHaveLength(32);
    expect(webhookReceiver?.onEvent).toEqual(onEvent);
  });

  test("needs no platform if it does not read tenants", async () => {
    const args = await argsOf("{ tokens: [{ secure: v1:a }], reconciliation: false }", "");
    expect(args.platform).toBeUndefined();
    await expect(argsOf("{ tokens: [{ secure: v1:a }], reconciliation: {} }", "")).rejects.toThrow(
      /config set integration-platform:baseUrl/,
    );
  });

  test("says which setting of the platform is missing", async () => {
    await expect(argsOf("{ tokens: [{ secure: v1:a }] }", "")).rejects.toThrow(
      /config set integration-platform:baseUrl/,
    );
  });

  test.each([
    [
      "a misspelt key",
      "{ tokens: [{ secure: v1:a }], silenceHour: 3 }",
      /silenceHour: is not a setting of the webhook receiver.*silenceHours/,
    ],
    ["a misspelt nested key", "{ tokens: [{ secure: v1:a }], reconciliation: { graceSecond: 3 } }", /graceSeconds/],
    [
      "an invalid source",
      "{ tokens: [{ secure: v1:a }], allowedSources: [192.0.2.0/33] }",
      /allowedSources\[0\].*CIDR/,
    ],
    [
      "an invalid number of days",
      "{ tokens: [{ secure: v1:a }], logRetentionDays: 8 }",
      /logRetentionDays.*1, 3, 5, 7/,
    ],
    [
      "a subscription with a name that is too long for AWS",
      `{ tokens: [{ secure: v1:a }], onEvent: { ${"a".repeat(33)}: { eventTypes: all, targetArn: "arn:aws:sns:x" } } }`,
      /onEvent\.a{33}: is the name of a subscription, which must be 1 to 32 lowercase letters, digits and "-"/,
    ],
    ["no token", "{ tokens: [] }", /openssl rand -hex 32/],
    ["three tokens", `{ tokens: [${Array(3).fill("{ secure: v1:a }").join(", ")}] }`, /at most two/],
    [
      "a plaintext token",
      `{ tokens: [${token}] }`,
      /tokens\[0\]: is in clear, and must be a secret. Run `pulumi config set --secret --path 'integration-platform:webhookReceiver.tokens\[0\]'`/,
    ],
    [
      "a plaintext API key",
      `{ tokens: [{ secure: v1:a }], platform: { apiKey: ${token} } }`,
      /platform\.apiKey: is in clear, and must be a secret. Run `pulumi config set --secret --path 'integration-platform:webhookReceiver\.platform\.apiKey'`/,
    ],
  ])("is refused with line and column: %s", async (_, receiver, problem) => {
    const refusal = await read(receiver).then(
      () => "accepted",
      (error: unknown) => String(error),
    );
    expect(refusal).toMatch(problem);
    expect(refusal).toMatch(/Pulumi\.test\.yaml:4:\d+: webhookReceiver/);
    expect(refusal).not.toContain(token);
  });
});
